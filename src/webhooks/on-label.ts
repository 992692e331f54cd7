import { STATE_LABELS, STATE_LABEL_NAMES } from '../domain/state-labels.ts';
import { isActive } from '../domain/run.ts';
import { startRun } from '../runs/start-run.ts';
import { answerClosedIssue, answerInvalidConfig, answerPullRequest, answerStart } from './answers.ts';
import { isBot, maySteer } from './authorize-sender.ts';
import type { Delivery, DeliveryPorts, HandledAs } from './delivery.ts';
import { isPullRequest, type IssueLabeled } from './payloads.ts';
import { readTriggerConfig } from './read-config.ts';
import { refuse, reply, type Reply } from './reply.ts';

/** As much of an issue as a run is asked with. GitHub allows 65,536 characters of body. */
const MAX_REQUEST_CHARACTERS = 16_000;

/** `issues.labeled`: the configured label asks for a run. It is a one-shot command, so it is taken off whatever the answer is. */
export async function onLabel(ports: DeliveryPorts, delivery: Delivery, payload: IssueLabeled): Promise<HandledAs> {
  if (isBot(delivery)) return 'ignored: sent by a bot';
  if (STATE_LABEL_NAMES.includes(payload.label.name)) return 'ignored: a state label';
  const config = await readTriggerConfig(ports, delivery.repository);
  // GitHub takes `Refactor` and `refactor` for the same label.
  if (payload.label.name.toLowerCase() !== config.label.toLowerCase()) return 'ignored: another label';

  const to = { issueNumber: payload.issue.number, commentId: null };
  if (!(await maySteer(ports, delivery))) {
    await takeOff(ports, delivery, payload);
    await refuse(ports, delivery, to);
    return 'refused: not permitted';
  }
  const obstacle = findObstacle(payload, config.problem);
  if (obstacle !== null) {
    await takeOff(ports, delivery, payload);
    await reply(ports, delivery, { to, answer: obstacle });
    return 'answered: nothing to start';
  }
  return start(ports, delivery, payload);
}

function findObstacle(payload: IssueLabeled, configProblem: string | null): Reply | null {
  if (isPullRequest(payload.issue)) return answerPullRequest();
  if (payload.issue.state === 'closed') return answerClosedIssue();
  return configProblem === null ? null : answerInvalidConfig(configProblem);
}

async function start(ports: DeliveryPorts, delivery: Delivery, payload: IssueLabeled): Promise<HandledAs> {
  const { issue } = payload;
  const result = await startRun(ports.store, {
    delivery: delivery.id,
    repository: delivery.repository,
    trigger: 'label',
    issueNumber: issue.number,
    requestedBy: delivery.sender.login,
    request: `${issue.title}\n\n${issue.body ?? ''}`.trim().slice(0, MAX_REQUEST_CHARACTERS),
    commentId: null,
    requestedAt: delivery.receivedAt,
  });
  if (result.run.state === 'queued' || isActive(result.run.state)) {
    await ports.conversation.changeLabels(delivery.repository, issue.number, {
      remove: [payload.label.name, STATE_LABELS.done.name, STATE_LABELS.failed.name],
      add: [STATE_LABELS.running.name],
    });
  } else {
    // Handled again after a crash, the delivery may find its run in review or at its end, which has set the label that stands.
    await takeOff(ports, delivery, payload);
  }
  const to = { issueNumber: issue.number, commentId: null };
  await reply(ports, delivery, { to, answer: answerStart(result) });
  return result.kind === 'started' ? `started ${result.run.id}` : `answered: ${result.run.id} is under way`;
}

async function takeOff(ports: DeliveryPorts, delivery: Delivery, payload: IssueLabeled): Promise<void> {
  await ports.conversation.changeLabels(delivery.repository, payload.issue.number, {
    remove: [payload.label.name],
    add: [],
  });
}
