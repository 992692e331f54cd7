import { BotError } from '../../domain/errors.ts';
import type { AgentOutput, ProposalRequest } from '../../agents/agent.ts';
import type { Ports } from '../ports.ts';
import type { RunOptions } from '../../domain/options.ts';
import type { Workspace } from '../../domain/workspace.ts';
import type { Environment } from '../../domain/verdict.ts';
import type { RunId } from '../../domain/ids.ts';
import type { BatchView } from '../../domain/run-view.ts';

/** Asks the agent for one patch; what an agent throws of its own kind is an attempt that failed, not a fault of the run. */
export async function proposePatch(
  proposal: Pick<ProposalRequest, 'batch' | 'attempt' | 'tree'> & { readonly failures: BatchView['failures'] },
  context: {
    readonly id: RunId;
    readonly ports: Pick<Ports, 'agent'>;
    readonly workspace: Workspace;
    readonly environment: Environment;
    readonly options: RunOptions;
  },
  signal: AbortSignal,
): Promise<AgentOutput> {
  const request: ProposalRequest = {
    run: context.id,
    batch: proposal.batch,
    attempt: proposal.attempt,
    failures: proposal.failures.map((entry) => entry.failure),
    tree: proposal.tree,
    workspace: context.workspace,
    environment: context.environment,
    options: context.options,
  };
  try {
    return await context.ports.agent.propose(request, signal);
  } catch (thrown) {
    if (thrown instanceof BotError && thrown.category === 'agent') return { kind: 'failed', reason: thrown.message };
    throw thrown;
  }
}
