import { authorise } from './authorise.ts';
import { personOf } from './write-file.ts';
import { readCommit, readObject, writeBlob, writeCommit } from '../git/objects.ts';
import type { Commit, Person } from '../git/objects.ts';
import { writeTree } from '../git/write-tree.ts';
import type { Repository } from '../state/records.ts';
import { refusal } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';

export async function createBlob(
  actor: Actor,
  { repository, content }: { readonly repository: Repository; readonly content: Buffer },
): Promise<string> {
  authorise(actor, repository, 'write contents');
  return writeBlob(repository.directory, content);
}

interface NewTree {
  readonly repository: Repository;
  readonly baseTree: string | undefined;
  readonly entries: readonly {
    readonly path: string;
    readonly mode: string;
    /** Null removes the path; left out for `content`. */
    readonly sha?: string | null | undefined;
    readonly content?: string | undefined;
  }[];
}

export async function createTree(actor: Actor, { repository, baseTree, entries }: NewTree): Promise<string> {
  authorise(actor, repository, 'write contents');
  const { directory } = repository;
  if (baseTree !== undefined && !(await readObject(directory, `${baseTree}^{tree}`))) {
    throw refusal(404, 'base_tree is not a valid tree oid');
  }
  const changes = await Promise.all(
    entries.map(async ({ path, mode, sha, content }) => {
      if (content !== undefined) return { path, mode, sha: await writeBlob(directory, Buffer.from(content)) };
      if (sha === undefined) throw refusal(422, 'Must supply tree.sha or tree.content');
      if (sha !== null && mode !== '160000' && !(await readObject(directory, sha))) {
        throw refusal(422, `tree.sha ${sha} is not a valid ${mode === '040000' ? 'tree' : 'blob'}`);
      }
      return { path, mode, sha };
    }),
  );
  return writeTree(directory, baseTree ?? null, changes);
}

interface PersonInput {
  readonly name: string;
  readonly email: string;
  readonly date?: string | undefined;
}

interface NewCommit {
  readonly repository: Repository;
  readonly message: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author?: PersonInput | undefined;
  readonly committer?: PersonInput | undefined;
}

/** Writes a commit that no ref reaches yet. Without an author it is the actor's own. */
export async function createCommit(site: Site, actor: Actor, input: NewCommit): Promise<Commit> {
  const { repository, message, tree, parents } = input;
  const { user } = authorise(actor, repository, 'write contents');
  const { directory } = repository;
  if ((await readObject(directory, tree))?.type !== 'tree') throw refusal(422, 'Tree SHA does not exist');
  for (const parent of parents) {
    if (!(await readCommit(directory, parent)))
      throw refusal(422, 'Parent SHA does not exist or is not a commit object');
  }
  const now = site.now();
  const author = input.author ? personFrom(input.author, now) : personOf(user, now);
  const committer = input.committer ? personFrom(input.committer, now) : author;
  const sha = await writeCommit(directory, { tree, parents, message, author, committer });
  const commit = await readCommit(directory, sha);
  if (!commit) throw new Error(`The commit ${sha} was written to ${directory} and is not there`);
  return commit;
}

function personFrom({ name, email, date }: PersonInput, now: Date): Person {
  return { name, email, date: date === undefined ? now : new Date(date) };
}
