import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { Agent, AgentOutput, ProposalRequest } from '../../src/agents/agent.ts';
import type { Candidate, Operations } from '../../src/operations/operations.ts';
import type { Ports } from '../../src/pipeline/ports.ts';
import type { RepoConfig } from '../../src/config/repo-config.ts';
import type { RunId } from '../../src/domain/ids.ts';
import type { RunView } from '../../src/domain/run-view.ts';
import type { StepResult, Steps } from '../../src/engine/durable-step.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { baseEnvironment } from '../../src/sandbox/base-environment.ts';
import { createUnsandboxed } from '../../src/sandbox/unsandboxed.ts';
import { createWorkspaces } from '../../src/sandbox/create-workspaces.ts';
import { openGitRepository } from '../../src/git/open-git-repository.ts';
import { prepareToolchain } from '../../src/sandbox/prepare-toolchain.ts';
import { refactorRepository } from '../../src/pipeline/refactor-repository.ts';
import { removeDirectory } from '../../src/sandbox/run-directories.ts';
import { resolveOptions } from '../../src/config/resolve-options.ts';
import { runIdFor, toCommitId } from '../../src/domain/ids.ts';
import { createMemoryCodeHost } from './memory-code-host.ts';
import { createMemoryRunStore, type MemoryRunStore } from './memory-run-store.ts';
import { commitFiles, plainGit, seedRepository } from './seed-repository.ts';
import { startGitHttpServer, type GitHttpServer } from './git-http-server.ts';
import { settleRun } from '../../src/pipeline/settle-run.ts';
import { silentLogger } from './toy-engine.ts';

/** What a scripted agent answers: the new text of files, given their text in the tree it was asked about; or words. */
export type Answer =
  | Readonly<Record<string, (text: string) => string>>
  | { readonly kind: 'noop' | 'blocked'; readonly reason: string };
export type Script = (request: ProposalRequest) => Answer;

export interface Scenario {
  readonly files: Readonly<Record<string, string>>;
  readonly config?: RepoConfig;
  /** One batch each, in order of goal; `file` has an unused import. */
  readonly batches: readonly { readonly goal: string; readonly file: string }[];
  readonly script: Script;
  readonly trigger?: 'label' | 'plan-command';
}

export interface Flow {
  readonly store: MemoryRunStore;
  readonly run: RunId;
  readonly branch: string;
  readonly ports: Ports;
  readonly proposals: readonly ProposalRequest[];
  readonly pulls: { title: string; body: string }[];
  /** Puts the clock forward. */
  pass(milliseconds: number): void;
  /** From where the ledger stands; `killAfter` ends it between the effect and the record of the first step whose name begins so. */
  advance(killAfter?: string): Promise<RunView>;
  /** git in the repository that the code host serves. */
  remote(...args: string[]): string;
  /** Null when the branch is not there. */
  remoteHead(branch?: string): string | null;
  /** Pushes a commit to the work branch, or to another, as a person would. */
  pushAsPerson(branch?: string): string;
  statusComment(): string;
}

export interface FlowBench {
  open(scenario: Scenario): Promise<Flow>;
  close(): Promise<void>;
}

const NO_CAPS = { maxBatches: 200, runMinutes: 1440, checkMinutes: 120 };

export class Killed extends Error {}

/** Real git over HTTP, real directories, real commands; the code host, the agent and the operations are scripted at their ports. */
export async function openFlowBench(): Promise<FlowBench> {
  const root = (await mkdtemp(path.join(os.tmpdir(), 'flow-'))) as TrustedPath;
  const served = path.join(root, 'served');
  const server = await startGitHttpServer(served, 'token');
  const toolchain = await prepareToolchain({ dataDir: root });
  let opened = 0;
  return {
    open: (scenario) =>
      openFlow({ scenario, root, served, server, toolchainDir: toolchain.dir, ordinal: (opened += 1) }),
    close: async () => {
      await server.close();
      await removeDirectory(root);
    },
  };
}

interface Place {
  readonly scenario: Scenario;
  readonly root: TrustedPath;
  readonly served: string;
  readonly server: GitHttpServer;
  readonly toolchainDir: TrustedPath;
  readonly ordinal: number;
}

async function openFlow(place: Place): Promise<Flow> {
  const { scenario, served, server, ordinal } = place;
  const name = `library-${ordinal}`;
  const bare = path.join(served, 'acme', `${name}.git`);
  const person = path.join(place.root, 'person', name);
  seedRepository(person, scenario.files);
  plainGit(person, 'clone', '--quiet', '--bare', person, bare);
  plainGit(person, 'remote', 'add', 'origin', bare);
  const remote = (...args: string[]) => plainGit(bare, ...args);

  const at = new Date('2026-11-22T01:02:03.000Z');
  const run = runIdFor(name, at);
  const branch = `refactor-bot/${run}`;
  let passedMs = 0;
  const clock = { now: () => new Date(at.getTime() + passedMs) };
  const store = createMemoryRunStore(() => clock.now());
  const host = createMemoryCodeHost();
  const proposals: ProposalRequest[] = [];
  const pulls: { title: string; body: string }[] = [];
  const remoteHead = (of = branch) => {
    const line = remote('for-each-ref', '--format=%(objectname)', `refs/heads/${of}`).trim();
    return line === '' ? null : line;
  };
  await store.createRun({
    id: run,
    repository: {
      owner: 'acme',
      name,
      installationId: 7,
      cloneUrl: `http://${server.host}/acme/${name}.git`,
      defaultBranch: 'main',
      private: false,
    },
    trigger: scenario.trigger ?? 'label',
    issueNumber: 1,
    requestedBy: 'maintainer',
    request: '',
    commentId: null,
    requestedAt: at.toISOString(),
  });
  await store.append(run, [{ type: 'state-entered', state: 'preparing' }]);

  const logger = pino({ level: 'silent' });
  const sandbox = createUnsandboxed({ scratchDir: place.root, user: null, logger });
  const ports: Ports = {
    agent: scriptedAgent(scenario.script, proposals),
    operations: scriptedOperations(scenario),
    sandbox,
    workspaces: createWorkspaces({ dataDir: place.root, toolchainDir: place.toolchainDir, user: null, sandbox }),
    environment: { variables: baseEnvironment(), toolchain: 'node', sandbox: 'unsandboxed' },
    repositories: {
      ...host.repositories,
      branchHead: async (_, of) => {
        const head = remoteHead(of);
        return head === null ? null : toCommitId(head);
      },
      deleteBranch: async (_, of) => {
        if (remoteHead(of) === null) return false;
        remote('update-ref', '-d', `refs/heads/${of}`);
        return true;
      },
      cloneToken: async () => 'token',
    },
    conversation: host.conversation,
    pullRequests: {
      put: async (_, pull) => {
        pulls.splice(0, 1, pull);
        return pullView(branch, remoteHead());
      },
      findByHead: async () => null,
      get: async () => pullView(branch, remoteHead()),
      filesInOpenPullRequests: async () => [],
    },
    checks: { put: async () => undefined },
    store,
    clock,
    logger: silentLogger,
    openRepository: (gitDir) => openGitRepository(gitDir),
    site: {
      dataDir: place.root,
      gitHost: { host: server.host, protocol: 'http' },
      registry: { url: 'http://127.0.0.1:9/', rules: [] },
      committer: { name: 'refactor-bot', email: 'bot@example.test' },
      sandboxUser: null,
    },
    resolveOptions: async () =>
      resolveOptions({ operator: {}, repository: { install: [], ...scenario.config }, request: {} }, NO_CAPS).options,
  };

  const recorded = new Map<string, string>();
  return {
    store,
    run,
    branch,
    ports,
    proposals,
    pulls,
    pass: (milliseconds) => (passedMs += milliseconds),
    advance: async (killAfter) => {
      await refactorRepository(run, memorySteps({ store, run, recorded, killAfter }), ports);
      // The engine sends this job with the record that ends or halts a run.
      await settleRun(run, ports);
      return (await store.load(run))!;
    },
    remote,
    remoteHead,
    pushAsPerson: (of = branch) => {
      plainGit(person, 'fetch', '--quiet', 'origin');
      plainGit(person, 'checkout', '--quiet', '-B', 'mine', remoteHead(of) === null ? 'main' : `origin/${of}`);
      const commit = commitFiles(person, { 'BY-HAND.md': `${proposals.length}\n` }, 'By hand');
      plainGit(person, 'push', '--quiet', 'origin', `HEAD:refs/heads/${of}`);
      return commit;
    },
    statusComment: () => [...host.comments.values()].at(-1) ?? '',
  };
}

function pullView(branch: string, head: string | null) {
  return {
    number: 2,
    url: 'https://github.example/acme/library/pull/2',
    open: true,
    merged: false,
    mergeCommit: null,
    headBranch: branch,
    headCommit: head ?? '',
  };
}

/** The engine's promise in memory: recorded steps are answered, others run, and events come with their step. */
function memorySteps(options: {
  readonly store: MemoryRunStore;
  readonly run: RunId;
  readonly recorded: Map<string, string>;
  readonly killAfter: string | undefined;
}): Steps {
  const { signal } = new AbortController();
  return {
    signal,
    async run<Output>(name: string, effect: (signal: AbortSignal) => Promise<StepResult<Output>>): Promise<Output> {
      const known = options.recorded.get(name);
      if (known !== undefined) return JSON.parse(known) as Output;
      const result = await effect(signal);
      if (options.killAfter !== undefined && name.startsWith(options.killAfter)) throw new Killed(name);
      options.recorded.set(name, JSON.stringify(result.output));
      await options.store.append(options.run, result.events ?? []);
      return JSON.parse(JSON.stringify(result.output)) as Output;
    },
  };
}

function scriptedOperations(scenario: Scenario): Operations {
  return {
    detect: async () => ({
      engine: 'scripted/1',
      declined: [],
      candidates: scenario.batches.map(({ goal, file }): Candidate => ({
        recipe: { operation: 'remove-unused-imports', engine: 'scripted/1', files: [file], inputs: {} },
        goal,
        files: [file],
        diffLines: 10,
      })),
    }),
    apply: async () => {
      throw new Error('The agent is scripted: nothing applies a recipe.');
    },
  };
}

function scriptedAgent(script: Script, proposals: ProposalRequest[]): Agent {
  return {
    name: 'replay',
    async propose(request): Promise<AgentOutput> {
      proposals.push(request);
      const answer = script(request);
      if (isWords(answer)) return answer;
      const edits = Object.entries(answer).map(([file, edit]) => {
        const before = plainGit(request.workspace.gitDir, 'show', `${request.tree}:${file}`);
        const shown = path.join(request.workspace.treeDir, file);
        if (!existsSync(shown)) throw new Error(`The checkout has no ${file}`);
        return wholeFileDiff(file, before, edit(before));
      });
      return {
        kind: 'patch',
        patch: {
          batch: request.batch.id,
          author: 'replay',
          diff: edits.join(''),
          rationale: 'scripted',
          riskNotes: [],
          touchedFiles: Object.keys(answer),
          proofs: [],
          recipe: null,
        },
      };
    },
  };
}

function isWords(answer: Answer): answer is Extract<Answer, { readonly kind: string }> {
  return 'kind' in answer && typeof answer.kind === 'string';
}

function wholeFileDiff(file: string, before: string, after: string): string {
  const [old, fresh] = [before, after].map((text) => text.split('\n').slice(0, -1));
  const lines = [...old!.map((line) => `-${line}`), ...fresh!.map((line) => `+${line}`)];
  return [
    `diff --git a/${file} b/${file}`,
    `--- a/${file}`,
    `+++ b/${file}`,
    `@@ -1,${old!.length} +1,${fresh!.length} @@`,
    ...lines,
    '',
  ].join('\n');
}
