import type { GitRepository } from '../../src/git/git-repository.ts';
import type { Ports } from '../../src/pipeline/ports.ts';
import type { StartChoices } from '../../src/start-bot.ts';

/** Told the stable name of each place the bot comes to. Returns, or ends the process. */
export type Reach = (point: string) => void;

/** Every place at which a kill could matter: around each step, and before and after each effect on something that outlives the process. */
export function watchEverything(reach: Reach): Pick<StartChoices, 'observe' | 'wrapPorts'> {
  return {
    observe: ({ step, moment }) => reach(`${moment} step ${step}`),
    wrapPorts: (ports) => watchPorts(ports, reach),
  };
}

/** What a call is called; null for one that nobody needs to know of. */
type NameOf<Method> = Method extends (...args: infer Args) => unknown
  ? string | ((...args: Args) => string | null)
  : never;
type Names<Face> = { readonly [Method in keyof Face]?: NameOf<Face[Method]> };
type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** The same face, with a point before and one after each call of the named methods. */
function watch<Face extends object>(face: Face, names: Names<Face>, reach: Reach): Face {
  const watched = Object.entries(names).map(([method, name]) => {
    const call = Reflect.get(face, method) as Call;
    const around: Call = async (...args) => {
      const effect =
        typeof name === 'string' ? name : (name as (...args: readonly unknown[]) => string | null)(...args);
      if (effect === null) return call(...args);
      reach(`before ${effect}`);
      const result = await call(...args);
      reach(`after ${effect}`);
      return result;
    };
    return [method, around];
  });
  return { ...face, ...Object.fromEntries(watched) } as Face;
}

function watchPorts(ports: Ports, reach: Reach): Ports {
  return {
    ...ports,
    ...watchTalk(ports, reach),
    repositories: watch(ports.repositories, { deleteBranch: 'delete-branch' }, reach),
    pullRequests: watch(ports.pullRequests, { put: 'pull-request' }, reach),
    workspaces: watch(ports.workspaces, { remove: 'remove-workspace' }, reach),
    store: watchStore(ports.store, reach),
    openRepository: async (gitDir) => watchGit(await ports.openRepository(gitDir), reach),
  };
}

/** Labels and check runs are named after the comment that each report of progress begins with. */
function watchTalk({ conversation, checks }: Ports, reach: Reach): Pick<Ports, 'conversation' | 'checks'> {
  let said = 'nothing';
  return {
    conversation: watch(
      conversation,
      {
        putComment: (_repository, { marker }, body) => {
          if (!marker.startsWith('status:')) return 'reply';
          said = summarize(body);
          return `comment "${said}"`;
        },
        changeLabels: (_repository, _issue, { remove }) =>
          remove.includes('refactor') ? 'labels asked' : `labels "${said}"`,
        closeIssue: 'close-issue',
        reactToComment: 'reaction',
      },
      reach,
    ),
    checks: watch(checks, { put: () => `check-run "${said}"` }, reach),
  };
}

/** `refactoring, 1 of 3`: what tells one edit of the status comment from the next. */
function summarize(body: string): string {
  const headline = /^### Refactoring: (.*)$/m.exec(body)?.[1] ?? body;
  const kept = /^\*\*(\d+ of \d+) batches kept\*\*$/m.exec(body)?.[1];
  return kept === undefined ? headline : `${headline}, ${kept}`;
}

/** The maintainer's acts come in by deliveries; every other one is for nobody. */
const HEARD = ['issues.labeled', 'pull_request.closed'];

function watchStore(store: Ports['store'], reach: Reach): Ports['store'] {
  return watch(
    store,
    {
      acceptDelivery: ({ event, payload }) => {
        const { sender } = payload as { sender?: { type?: string } };
        return HEARD.includes(event) && sender?.type === 'User' ? `accept-delivery ${event}` : null;
      },
      createRun: 'create-run',
      decide: 'decide',
      putContent: 'put-content',
    },
    reach,
  );
}

function watchGit(git: GitRepository, reach: Reach): GitRepository {
  let batch = 'none';
  return watch(
    git,
    {
      fetchBranch: (_remote, branch) => `fetch ${branch === 'main' ? branch : 'work-branch'}`,
      commit: ({ message }) => {
        batch = /^Refactor-Batch: (.*)$/m.exec(message)?.[1] ?? 'none';
        return `commit ${batch}`;
      },
      push: () => `push ${batch}`,
      bundle: 'bundle',
    },
    reach,
  );
}
