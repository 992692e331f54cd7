import { authorise } from './authorise.ts';
import { lockRefs } from './lock-refs.ts';
import { recordRefChanges } from './record-ref-changes.ts';
import { readTree, writeBlob, writeCommit } from '../git/objects.ts';
import type { Person } from '../git/objects.ts';
import { branchSha, writeRef, zeroSha } from '../git/refs.ts';
import { writeTree } from '../git/write-tree.ts';
import { noreplyEmail } from '../state/accounts.ts';
import type { Repository, User } from '../state/records.ts';
import { notFound, refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';

interface FileWrite {
  readonly repository: Repository;
  readonly path: string;
  readonly content: Buffer;
  readonly message: string;
  /** The default branch unless told. */
  readonly branch?: string | undefined;
  /** Blob that the file has now; must be left out for a new file. */
  readonly sha?: string | undefined;
}

export interface WrittenFile {
  readonly commitSha: string;
  readonly blobSha: string;
  readonly created: boolean;
}

/** Commits one file on a branch; a first commit may start the default branch of an empty repository. */
export async function writeFile(site: Site, actor: Actor, input: FileWrite): Promise<WrittenFile> {
  const { repository, path, content, message, branch = repository.defaultBranch } = input;
  const { user } = authorise(actor, repository, 'write contents');
  const { directory } = repository;
  return lockRefs(repository, async () => {
    const tip = await branchSha(directory, branch);
    if (tip === null && branch !== repository.defaultBranch) throw notFound();
    const present =
      tip === null ? undefined : (await readTree(directory, tip, true))?.find((entry) => entry.path === path);
    checkPresent(present?.sha, input.sha);
    const blobSha = await writeBlob(directory, content);
    const tree = await writeTree(directory, tip, [{ path, mode: present?.mode ?? '100644', sha: blobSha }]);
    const author = personOf(user, site.now());
    const parents = tip === null ? [] : [tip];
    const commitSha = await writeCommit(directory, { tree, parents, message, author, committer: author });
    const change = { name: `refs/heads/${branch}`, before: tip ?? zeroSha, after: commitSha };
    if (!(await writeRef(directory, change))) throw refusal(409, `${path} could not be written: the branch moved`);
    await recordRefChanges(site, { repository, sender: user }, [change]);
    return { commitSha, blobSha, created: !present };
  });
}

export function personOf(user: User, date: Date): Person {
  return { name: user.login, email: noreplyEmail(user), date };
}

function checkPresent(present: string | undefined, expected: string | undefined): void {
  if (present !== undefined && expected === undefined) {
    throw refusal(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
  }
  if (expected !== undefined && present !== expected) {
    throw refusal(409, `is at ${present ?? 'no blob'} but expected ${expected}`);
  }
}
