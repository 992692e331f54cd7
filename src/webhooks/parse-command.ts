import type { Command, CommandName, ParsedComment } from '../domain/command.ts';
import type { PlanHash } from '../domain/ids.ts';
import { nearestWord } from '../domain/nearest-word.ts';
import { visibleLines } from './visible-lines.ts';

/** How each command is written, in the order in which `help` lists them. */
export const COMMAND_USAGE: Readonly<Record<CommandName, { readonly usage: string; readonly does: string }>> = {
  plan: {
    usage: '/refactor plan [paths or goal]',
    does: 'measure the repository, post a plan and wait for approval',
  },
  run: {
    usage: '/refactor run [paths or goal]',
    does: 'plan and go on to the pull request, which is the review',
  },
  approve: {
    usage: '/refactor approve <plan hash> [only 1,3-5]',
    does: 'carry out the plan with that hash, or only the batches that are named',
  },
  status: { usage: '/refactor status', does: 'say how the run of this issue stands' },
  cancel: { usage: '/refactor cancel', does: 'stop the run of this issue' },
  help: { usage: '/refactor help', does: 'show this table' },
};

export const COMMAND_NAMES = Object.keys(COMMAND_USAGE) as readonly CommandName[];

/** Longer requests are cut: a goal is a sentence, not a document. */
const MAX_REQUEST_CHARACTERS = 4000;
/** No plan has more batches than this (`max_batches`). */
const MAX_BATCH_ORDINAL = 200;

/**
 * What a comment asks for. The first line that begins with `/refactor` and stands outside code, quotes and HTML comments counts;
 * later ones do not. The words behind a command end with its line. Never throws.
 */
export function parseCommand(comment: string): ParsedComment {
  for (const line of visibleLines(comment)) {
    const match = /^ {0,3}\/refactor(?:[ \t]+(.*))?$/i.exec(line);
    if (match !== null) return parseWords((match[1] ?? '').trim());
  }
  return { kind: 'none' };
}

function parseWords(text: string): ParsedComment {
  const [word = '', ...more] = text.split(/\s+/);
  const rest = text.slice(word.length).trim();
  const name = COMMAND_NAMES.find((candidate) => candidate === word.toLowerCase());
  switch (name) {
    case undefined:
      return malformed(text, word === '' ? 'the command is missing' : 'there is no such command', nearest(word));
    case 'plan':
    case 'run':
      return { kind: 'command', command: { name, request: rest.slice(0, MAX_REQUEST_CHARACTERS) } };
    case 'approve':
      return parseApproval(text, more);
    default:
      return rest === ''
        ? { kind: 'command', command: { name } }
        : malformed(text, `nothing goes behind ${name}`, name);
  }
}

function nearest(word: string): CommandName | null {
  return nearestWord(word, COMMAND_NAMES);
}

function parseApproval(text: string, words: readonly string[]): ParsedComment {
  const [hash = '', only, ...ordinals] = words;
  if (!/^[0-9a-f]{10}$/i.test(hash)) {
    return malformed(text, 'the plan hash has ten digits, 0-9 and a-f, and stands in the plan', 'approve');
  }
  if (only === undefined) return approval(hash, null);
  const numbers = only.toLowerCase() === 'only' ? parseOrdinals(ordinals.join('')) : null;
  return numbers === null
    ? malformed(text, `behind the hash goes nothing, or "only" and batch numbers such as 1,3-5`, 'approve')
    : approval(hash, numbers);
}

function approval(hash: string, only: readonly number[] | null): ParsedComment {
  const command: Command = { name: 'approve', planHash: hash.toLowerCase() as PlanHash, only };
  return { kind: 'command', command };
}

/** `1,3-5` as `[1, 3, 4, 5]`, sorted and without repeats; null when it is anything else. */
function parseOrdinals(list: string): readonly number[] | null {
  const numbers = new Set<number>();
  for (const part of list.split(',')) {
    const match = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(part);
    if (match === null) return null;
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (from < 1 || to < from || to > MAX_BATCH_ORDINAL) return null;
    for (let ordinal = from; ordinal <= to; ordinal += 1) numbers.add(ordinal);
  }
  return [...numbers].toSorted((a, b) => a - b);
}

function malformed(given: string, problem: string, nearest: CommandName | null): ParsedComment {
  return { kind: 'malformed', given: given.slice(0, 200), problem, nearest };
}
