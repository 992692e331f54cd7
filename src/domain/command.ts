import type { PlanHash } from './ids.ts';

/**
 * A parsed slash-command. `request` is the free text behind it: paths that narrow the scope and a goal, or empty.
 * The words are those of `docs/commands.md`.
 */
export type Command =
  | { readonly name: 'plan'; readonly request: string }
  | { readonly name: 'run'; readonly request: string }
  | { readonly name: 'approve'; readonly planHash: PlanHash; readonly only: readonly number[] | null }
  | { readonly name: 'status' }
  | { readonly name: 'cancel' }
  | { readonly name: 'help' };

export type CommandName = Command['name'];

/** What one comment holds: a command, words that look like one but are not, or nothing for us. */
export type ParsedComment =
  | { readonly kind: 'command'; readonly command: Command }
  | {
      readonly kind: 'malformed';
      readonly given: string;
      readonly problem: string;
      readonly nearest: CommandName | null;
    }
  | { readonly kind: 'none' };
