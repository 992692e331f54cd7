import type { Command } from '../domain/command.ts';
import { fullName } from '../domain/repository.ts';
import { hasEnded } from '../domain/run.ts';
import { approvePlan } from '../runs/approve-plan.ts';
import { cancelRun } from '../runs/cancel-run.ts';
import { runsOfIssue } from '../runs/runs-of-issue.ts';
import { startRun } from '../runs/start-run.ts';
import {
  answerApprove,
  answerCancel,
  answerClosedIssue,
  answerHelp,
  answerInvalidConfig,
  answerMalformed,
  answerPullRequest,
  answerStart,
  answerStatus,
} from './answers.ts';
import { isBot, maySteer } from './authorize-sender.ts';
import type { Delivery, DeliveryPorts, HandledAs } from './delivery.ts';
import { parseCommand } from './parse-command.ts';
import { isPullRequest, type CommentCreated } from './payloads.ts';
import { readTriggerConfig } from './read-config.ts';
import { refuse, reply, type Reply } from './reply.ts';

/** `issue_comment.created`, on issues and pull requests. Edited comments are another event, which nobody hears. */
export async function onCommandComment(
  ports: DeliveryPorts,
  delivery: Delivery,
  payload: CommentCreated,
): Promise<HandledAs> {
  if (isBot(delivery)) return 'ignored: sent by a bot';
  // Before anything is asked from the host: nearly every comment is for somebody else.
  const parsed = parseCommand(payload.comment.body);
  if (parsed.kind === 'none') return 'ignored: no command';

  const to = { issueNumber: payload.issue.number, commentId: payload.comment.id };
  if (!(await maySteer(ports, delivery))) {
    await refuse(ports, delivery, to);
    return 'refused: not permitted';
  }
  const answer =
    parsed.kind === 'malformed'
      ? answerMalformed(parsed)
      : await obey(ports, delivery, { payload, command: parsed.command });
  await reply(ports, delivery, { to, answer });
  return parsed.kind === 'malformed' ? 'answered: not understood' : `answered: ${parsed.command.name}`;
}

interface Ask {
  readonly payload: CommentCreated;
  readonly command: Command;
}

async function obey(ports: DeliveryPorts, delivery: Delivery, { payload, command }: Ask): Promise<Reply> {
  const { issue } = payload;
  const place = { repository: delivery.repository, issueNumber: issue.number };
  const by = delivery.sender.login;
  switch (command.name) {
    case 'help':
      return answerHelp();
    case 'status':
      return status(ports, delivery, issue.number);
    case 'cancel':
      return answerCancel(await cancelRun(ports.store, place, by));
    case 'approve': {
      if (issue.state === 'closed') return answerClosedIssue();
      const { planHash, only } = command;
      return answerApprove(await approvePlan(ports.store, place, { by, planHash, only }));
    }
    case 'plan':
    case 'run':
      return start(ports, delivery, { payload, command });
  }
}

async function start(
  ports: DeliveryPorts,
  delivery: Delivery,
  { payload, command }: { readonly payload: CommentCreated; readonly command: Extract<Command, { request: string }> },
): Promise<Reply> {
  const { issue, comment } = payload;
  if (issue.state === 'closed') return answerClosedIssue();
  const place = { repository: delivery.repository, issueNumber: issue.number };
  if (isPullRequest(issue) && (await runsOfIssue(ports.store, place)).length === 0) return answerPullRequest();
  const { problem } = await readTriggerConfig(ports, delivery.repository);
  if (problem !== null) return answerInvalidConfig(problem);
  const result = await startRun(ports.store, {
    delivery: delivery.id,
    ...place,
    trigger: command.name === 'plan' ? 'plan-command' : 'run-command',
    requestedBy: delivery.sender.login,
    request: command.request,
    commentId: comment.id,
    requestedAt: delivery.receivedAt,
  });
  return answerStart(result);
}

async function status({ store }: DeliveryPorts, { repository }: Delivery, issueNumber: number): Promise<Reply> {
  const here = await runsOfIssue(store, { repository, issueNumber });
  const elsewhere = (await store.runsOf(fullName(repository))).filter(
    (run) => !hasEnded(run.state) && here.every((own) => own.id !== run.id),
  );
  const newest = here[0];
  return answerStatus(newest === undefined ? null : await store.load(newest.id), elsewhere);
}
