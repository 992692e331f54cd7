import type { Application, Declined, DetectRequest, Detection } from './operations.ts';
import type { Recipe } from '../domain/plan.ts';

/** What the host writes to the request file. Paths inside are relative to the working directory of the program. */
export type ProgramRequest =
  | { readonly kind: 'detect'; readonly request: DetectRequest }
  | { readonly kind: 'apply'; readonly recipe: Recipe };

/** What the program prints, as one line of JSON after the marker line. */
export type ProgramAnswer =
  | { readonly kind: 'detection'; readonly detection: Detection }
  | { readonly kind: 'application'; readonly application: Application }
  | { readonly kind: 'failed'; readonly message: string };

/** Stands before the answer, so that a stray print of a plugin or formatter cannot spoil it. The last one counts. */
export const ANSWER_MARKER = '@@ refactor-bot operations: answer @@';

/** A decline without the name of the operation, which whoever asked knows. */
export type Refusal = Omit<Declined, 'operation' | 'path'>;
