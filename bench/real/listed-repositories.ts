import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { repoConfigSchema } from '../../src/config/repo-config.ts';

const listed = z.strictObject({
  /** `owner/name` on github.com. */
  name: z.string().regex(/^[\w-]+\/[\w.-]+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** What makes it another kind of repository than the rest of the list. */
  style: z.string().min(1),
  /** What the operator of the bot sets for it, in the words of a repository's own configuration file. */
  options: repoConfigSchema,
});

export type ListedRepository = z.infer<typeof listed>;

/** Those of `bench/repositories.json` that were asked for, in their order there; all when nothing was. Throws for a wrong name. */
export async function readListedRepositories(wanted: readonly string[]): Promise<readonly ListedRepository[]> {
  const text = await readFile(path.join(import.meta.dirname, '..', 'repositories.json'), 'utf8');
  const all = z.array(listed).parse(JSON.parse(text));
  for (const name of wanted) {
    if (!all.some((entry) => entry.name === name)) throw new Error(`${name} is not in bench/repositories.json.`);
  }
  return wanted.length === 0 ? all : all.filter((entry) => wanted.includes(entry.name));
}
