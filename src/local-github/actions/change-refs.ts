import { authorise } from './authorise.ts';
import { lockRefs } from './lock-refs.ts';
import { recordRefChanges } from './record-ref-changes.ts';
import { readObject } from '../git/objects.ts';
import { isAncestor, isValidRefName, readRef, writeRef, zeroSha } from '../git/refs.ts';
import type { Ref } from '../git/refs.ts';
import type { Repository } from '../state/records.ts';
import { refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';

interface RefTarget {
  readonly repository: Repository;
  /** Full name, such as `refs/heads/topic`. */
  readonly name: string;
  readonly sha: string;
}

export async function createRef(site: Site, actor: Actor, { repository, name, sha }: RefTarget): Promise<Ref> {
  const { user } = authorise(actor, repository, 'write contents');
  const { directory } = repository;
  if (!/^refs\/(heads|tags)\/./.test(name) || !(await isValidRefName(directory, name))) {
    throw refusal(422, "Reference name must start with 'refs/' and be well-formed");
  }
  return lockRefs(repository, async () => {
    if (await readRef(directory, name)) throw refusal(422, 'Reference already exists');
    const type = await requireTarget(repository, { name, sha });
    const change = { name, before: zeroSha, after: sha };
    if (!(await writeRef(directory, change))) throw refusal(422, 'Reference update failed');
    await recordRefChanges(site, { repository, sender: user }, [change]);
    return { name, sha, type };
  });
}

/** Moves a ref; only forward unless forced. */
export async function updateRef(
  site: Site,
  actor: Actor,
  input: RefTarget & { readonly force: boolean },
): Promise<Ref> {
  const { repository, name, sha, force } = input;
  const { user } = authorise(actor, repository, 'write contents');
  const { directory } = repository;
  return lockRefs(repository, async () => {
    const current = await readRef(directory, name);
    if (!current) throw refusal(422, 'Reference does not exist');
    const type = await requireTarget(repository, { name, sha });
    if (!force && !(await isAncestor(directory, current.sha, sha))) throw refusal(422, 'Update is not a fast forward');
    const change = { name, before: current.sha, after: sha };
    if (change.before === change.after) return current;
    if (!(await writeRef(directory, change))) throw refusal(422, 'Reference update failed');
    await recordRefChanges(site, { repository, sender: user }, [change]);
    return { name, sha, type };
  });
}

/** Deletes a branch or tag; open pull requests from a branch are closed with it. */
export async function deleteRef(
  site: Site,
  actor: Actor,
  { repository, name }: Pick<RefTarget, 'repository' | 'name'>,
): Promise<void> {
  const { user } = authorise(actor, repository, 'write contents');
  if (name === `refs/heads/${repository.defaultBranch}`) throw refusal(422, 'Cannot delete the default branch');
  await lockRefs(repository, async () => {
    const current = await readRef(repository.directory, name);
    if (!current) throw refusal(422, 'Reference does not exist');
    const change = { name, before: current.sha, after: zeroSha };
    if (!(await writeRef(repository.directory, change))) throw refusal(422, 'Reference update failed');
    await recordRefChanges(site, { repository, sender: user }, [change]);
  });
}

async function requireTarget(repository: Repository, { name, sha }: Pick<RefTarget, 'name' | 'sha'>): Promise<string> {
  const object = /^[\da-f]{40}$/.test(sha) ? await readObject(repository.directory, sha) : null;
  const needsCommit = name.startsWith('refs/heads/');
  if (!object || (needsCommit && object.type !== 'commit')) throw refusal(422, 'Object does not exist');
  return object.type;
}
