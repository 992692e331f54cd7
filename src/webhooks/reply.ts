import type { Reaction } from '../code-host/conversation.ts';
import { inertText } from '../domain/markdown.ts';
import type { Delivery, DeliveryPorts } from './delivery.ts';

/** Where an answer goes. `commentId` is the comment that asked; null when a label did. */
export interface ReplyTo {
  readonly issueNumber: number;
  readonly commentId: number | null;
}

export interface Reply {
  readonly reaction: Reaction;
  /** Markdown; null when the reaction says it all. */
  readonly body: string | null;
}

/** Reacts, and writes the one answer of this delivery: handled again, it finds its own comment. */
export async function reply(
  ports: DeliveryPorts,
  delivery: Delivery,
  { to, answer }: { readonly to: ReplyTo; readonly answer: Reply },
): Promise<void> {
  await react(ports, delivery, { to, reaction: answer.reaction });
  if (answer.body === null) return;
  const target = { issueNumber: to.issueNumber, marker: `reply:${delivery.id}` };
  await ports.conversation.putComment(delivery.repository, target, answer.body);
}

/** One refusal for each person on each issue, however often they ask: a stranger cannot make the bot talk. */
export async function refuse(ports: DeliveryPorts, delivery: Delivery, to: ReplyTo): Promise<void> {
  await react(ports, delivery, { to, reaction: '-1' });
  const { login } = delivery.sender;
  const body = `Thank you, @${inertText(login)}. Only people who can write to this repository can start or steer a refactoring, so nothing was done. Please ask one of its maintainers.`;
  const target = { issueNumber: to.issueNumber, marker: `refusal:${login.toLowerCase()}` };
  await ports.conversation.putComment(delivery.repository, target, body);
}

async function react(
  { conversation }: DeliveryPorts,
  { repository }: Delivery,
  { to, reaction }: { readonly to: ReplyTo; readonly reaction: Reaction },
): Promise<void> {
  if (to.commentId !== null) await conversation.reactToComment(repository, to.commentId, reaction);
}
