import { authorise } from './authorise.ts';
import type { Reaction, ReactionContent, Repository } from '../state/records.ts';
import { notFound } from '../state/refusal.ts';
import type { Actor, Site } from '../state/site.ts';

interface NewReaction {
  readonly repository: Repository;
  /** The reactions of an issue or a comment. */
  readonly reactions: Reaction[];
  readonly content: ReactionContent;
}

/** Reacts; `isNew` is false when this actor had reacted so already. GitHub sends no event about reactions. */
export function addReaction(
  site: Site,
  actor: Actor,
  { repository, reactions, content }: NewReaction,
): { reaction: Reaction; isNew: boolean } {
  const { user } = authorise(actor, repository, 'react');
  const existing = reactions.find((reaction) => reaction.user === user && reaction.content === content);
  if (existing) return { reaction: existing, isNew: false };
  const reaction: Reaction = { id: site.nextId(), user, content, createdAt: site.now() };
  reactions.push(reaction);
  return { reaction, isNew: true };
}

interface ExistingReaction {
  readonly repository: Repository;
  readonly reactions: Reaction[];
  readonly id: number;
}

/** Takes back one's own reaction; others' look as if they were not there. */
export function removeReaction(actor: Actor, { repository, reactions, id }: ExistingReaction): void {
  const { user } = authorise(actor, repository, 'react');
  const index = reactions.findIndex((reaction) => reaction.id === id && reaction.user === user);
  if (index < 0) throw notFound();
  reactions.splice(index, 1);
}
