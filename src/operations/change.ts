import type { Refusal } from './protocol.ts';
import type { Recipe } from '../domain/plan.ts';
import type { Texts } from './load-project.ts';
import type { OpenFile, Workbench } from './workbench.ts';

/** New texts of the files an operation touches, and what it says it did: what the proofs hold it to. */
export interface Change {
  readonly texts: Texts;
  /** Created file → the file its declarations came from. */
  readonly cameFrom: ReadonlyMap<string, string>;
  /** Top-level statements that go for good, imports included. */
  readonly removedStatements: number;
}

/** What an operation would do to one file. `change` is null when nothing is left to do; `refusals` says why. */
export interface Proposal {
  readonly change: Change | null;
  readonly names: readonly string[];
  readonly inputs: Recipe['inputs'];
  readonly goal: string;
  readonly refusals: readonly Refusal[];
}

/** From a recipe: exactly these names (and this target). From detection: nulls, and whatever fits is chosen. */
export interface Wish {
  readonly names: readonly string[] | null;
  readonly target: string | null;
  readonly fileLines: number;
}

export type Propose = (bench: Workbench, file: OpenFile, wish: Wish) => Proposal;

export function refuse(...refusals: readonly Refusal[]): Proposal {
  return { change: null, names: [], inputs: {}, goal: '', refusals };
}

/** `1 unused import`, `3 unused imports`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
