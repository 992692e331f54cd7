import { BotError } from '../domain/errors.ts';
import { toCommitId, type CommitId } from '../domain/ids.ts';
import { accessRemote, type RemoteAccess } from './remote-access.ts';
import { gitText, gitVerb, runGit, type GitPlace } from './run-git.ts';
import type { Remote } from './git-repository.ts';

export async function fetchBranch(
  place: GitPlace,
  source: { readonly remote: Remote; readonly branch: string },
  signal: AbortSignal,
): Promise<CommitId | null> {
  const access = accessRemote(source.remote);
  const ref = branchRef(source.branch);
  try {
    await callRemote(place, access, {
      args: [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        access.url,
        `+${ref}:${ref}`,
      ],
      signal,
    });
  } catch (thrown) {
    if (!isMissingBranch(thrown)) throw thrown;
    await requireAnyBranch(place, access, signal);
    return null;
  }
  return toCommitId(await gitText(place, { args: ['rev-parse', '--verify', '--end-of-options', ref] }));
}

/** An empty repository is another answer than a branch that is gone. */
async function requireAnyBranch(place: GitPlace, access: RemoteAccess, signal: AbortSignal): Promise<void> {
  const branches = await callRemote(place, access, { args: ['ls-remote', '--heads', access.url], signal });
  if (branches.trim() !== '') return;
  throw new BotError('repository-empty', 'The repository has no commit yet. Push a first commit, then ask again.');
}

function isMissingBranch(thrown: unknown): boolean {
  return thrown instanceof BotError && /couldn't find remote ref/i.test(String(thrown.details.said));
}

/**
 * Always with a lease, which also lets a rebuilt branch replace the old one: what may be overwritten is named by its commit. A
 * branch that is at `commit` already counts as up to date for git before it looks at the lease.
 */
export async function push(
  place: GitPlace,
  change: {
    readonly remote: Remote;
    readonly branch: string;
    readonly commit: CommitId;
    readonly expected: CommitId | null;
  },
  signal: AbortSignal,
): Promise<void> {
  const access = accessRemote(change.remote);
  const ref = branchRef(change.branch);
  await callRemote(place, access, {
    args: [
      'push',
      '--quiet',
      '--no-verify',
      '--no-recurse-submodules',
      `--force-with-lease=${ref}:${change.expected ?? ''}`,
      access.url,
      `${change.commit}:${ref}`,
    ],
    signal,
  });
  // So that a backup made later holds the branch, too.
  await runGit(place, { args: ['update-ref', ref, change.commit] });
}

function callRemote(
  place: GitPlace,
  access: RemoteAccess,
  call: { readonly args: readonly string[]; readonly signal: AbortSignal },
): Promise<string> {
  const { transport, credentials } = access;
  return gitVerb(place, call.args, { transport, credentials, signal: call.signal });
}

/** git's own rules for names of branches (check-ref-format), so that a name cannot become another refspec. */
function branchRef(branch: string): string {
  const badCharacter = /[\p{Cc} ~^:?*[\\]/u.test(branch);
  const badPart = branch.split('/').some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock'));
  if (badCharacter || badPart || /\.\.|@\{|\.$/.test(branch)) {
    throw new BotError(
      'invariant-broken',
      'git was asked for a branch by something that cannot be a name of a branch.',
    );
  }
  return `refs/heads/${branch}`;
}
