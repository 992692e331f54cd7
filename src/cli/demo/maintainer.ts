import { BotError } from '../../domain/errors.ts';
import type { DemoWorld } from './demo-world.ts';

/** The maintainer's part, over the same REST interface that a person's browser and scripts use. */
export interface Maintainer {
  defineLabel(name: string, description: string): Promise<void>;
  openIssue(title: string, body: string): Promise<number>;
  addLabel(issue: number, label: string): Promise<void>;
  comment(issue: number, body: string): Promise<void>;
  merge(pull: number): Promise<void>;
  closePull(pull: number): Promise<void>;
  commitsOf(pull: number): Promise<readonly { readonly id: string; readonly subject: string }[]>;
  filesOf(
    pull: number,
  ): Promise<readonly { readonly path: string; readonly added: number; readonly removed: number }[]>;
  issueIsOpen(issue: number): Promise<boolean>;
  branches(): Promise<readonly string[]>;
}

export function createMaintainer(world: DemoWorld): Maintainer {
  const repository = `repos/${world.owner}/${world.seed.name}`;
  const token = world.github.userToken(world.maintainer);
  const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${world.github.url}/api/v3/${repository}/${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new BotError('unknown', `The embedded GitHub answered ${response.status} to ${method} ${path}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Answer;
  };
  return {
    defineLabel: async (name, description) => call('POST', 'labels', { name, description, color: '1d76db' }),
    openIssue: async (title, body) => (await call<{ number: number }>('POST', 'issues', { title, body })).number,
    addLabel: async (issue, label) => call('POST', `issues/${issue}/labels`, { labels: [label] }),
    comment: async (issue, body) => call('POST', `issues/${issue}/comments`, { body }),
    merge: async (pull) => call('PUT', `pulls/${pull}/merge`, { merge_method: 'merge' }),
    closePull: async (pull) => call('PATCH', `pulls/${pull}`, { state: 'closed' }),
    commitsOf: async (pull) => {
      const commits = await call<{ sha: string; commit: { message: string } }[]>(
        'GET',
        `pulls/${pull}/commits?per_page=100`,
      );
      return commits.map((entry) => ({ id: entry.sha, subject: entry.commit.message.split('\n')[0] ?? '' }));
    },
    filesOf: async (pull) => {
      const files = await call<{ filename: string; additions: number; deletions: number }[]>(
        'GET',
        `pulls/${pull}/files?per_page=100`,
      );
      return files.map((file) => ({ path: file.filename, added: file.additions, removed: file.deletions }));
    },
    issueIsOpen: async (issue) => (await call<{ state: string }>('GET', `issues/${issue}`)).state === 'open',
    branches: async () => (await call<{ name: string }[]>('GET', 'branches?per_page=100')).map((branch) => branch.name),
  };
}
