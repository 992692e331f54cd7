import type { CommentTarget, Conversation, Reaction } from '../../src/code-host/conversation.ts';
import type { Permission, RepositoryHost } from '../../src/code-host/repository.ts';

/** The faces of the code host that webhooks use, as plain memory: what was written stands in its fields. */
export interface MemoryCodeHost {
  readonly repositories: Pick<RepositoryHost, 'permissionOf' | 'readTextFile'>;
  readonly conversation: Conversation;
  /** Login to permission; who is missing may read. */
  readonly permissions: Map<string, Permission>;
  /** Path to text, on the default branch. */
  readonly files: Map<string, string>;
  readonly comments: Map<string, string>;
  readonly reactions: { readonly commentId: number; readonly reaction: Reaction }[];
  readonly labels: Map<number, Set<string>>;
  /** When set, every call fails with it. */
  failure: Error | null;
}

export function createMemoryCodeHost(): MemoryCodeHost {
  const permissions = new Map<string, Permission>([['maintainer', 'write']]);
  const files = new Map<string, string>();
  const comments = new Map<string, string>();
  const reactions: MemoryCodeHost['reactions'] = [];
  const labels = new Map<number, Set<string>>();
  const key = (target: CommentTarget) => `#${target.issueNumber} ${target.marker}`;
  const host: MemoryCodeHost = {
    permissions,
    files,
    comments,
    reactions,
    labels,
    failure: null,
    repositories: {
      permissionOf: async (_repository, login) => reachable(permissions.get(login) ?? 'read'),
      readTextFile: async (_repository, { path }) => reachable(files.get(path) ?? null),
    },
    conversation: {
      getIssue: async () => reachable(null),
      putComment: async (_repository, target, body) => {
        comments.set(reachable(key(target)), body);
        return { id: comments.size, url: `https://github.example/comment/${comments.size}` };
      },
      reactToComment: async (_repository, commentId, reaction) => {
        reactions.push(reachable({ commentId, reaction }));
      },
      changeLabels: async (_repository, issueNumber, { remove, add }) => {
        const on = reachable(labels.get(issueNumber) ?? new Set<string>());
        for (const name of remove) on.delete(name);
        for (const name of add) on.add(name);
        labels.set(issueNumber, on);
      },
      closeIssue: async () => undefined,
    },
  };
  const reachable = <Value>(value: Value): Value => {
    if (host.failure !== null) throw host.failure;
    return value;
  };
  return host;
}
