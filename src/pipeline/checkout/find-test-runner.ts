import type { TestRunner } from '../../domain/verdict.ts';
import { splitScript } from './split-script.ts';

export type Scripts = Readonly<Record<string, string>>;

/** The test runner that a command ends in, and the way an argument appended to the command takes to it. */
export interface FoundRunner {
  readonly runner: TestRunner;
  /** The runner's own arguments, as the script has them. */
  readonly args: readonly string[];
  /** What must stand before an appended argument so that each package manager on the way hands it on: `--` per npm. */
  readonly separators: readonly '--'[];
  /** The script sets NODE_OPTIONS itself, so ours would not arrive. */
  readonly setsNodeOptions: boolean;
}

type Step =
  | { readonly kind: 'runner'; readonly runner: TestRunner; readonly args: readonly string[] }
  | { readonly kind: 'script'; readonly name: string; readonly separators: readonly '--'[] }
  | { readonly kind: 'command'; readonly words: readonly string[] };

/** Scripts that call scripts: deeper than this is a loop or not worth following. */
const MAX_STEPS = 20;

/**
 * Looks at the LAST command of the line (appended arguments end up there), through package managers, their scripts and wrappers.
 * Null when that is not a known runner, or when an appended argument would not reach it.
 */
export function findTestRunner(command: string, scripts: Scripts): FoundRunner | null {
  const separators: '--'[] = [];
  let setsNodeOptions = false;
  let words = lastCommand(command);
  for (let steps = 0; words !== null && steps < MAX_STEPS; steps += 1) {
    const assigned = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
    setsNodeOptions ||= words.slice(0, assigned).some((word) => word.startsWith('NODE_OPTIONS='));
    const step: Step | null = assigned === -1 ? null : readCommand(words.slice(assigned), scripts);
    if (step === null) return null;
    if (step.kind === 'runner') {
      return step.args.includes('--') ? null : { runner: step.runner, args: step.args, separators, setsNodeOptions };
    }
    if (step.kind === 'script') separators.push(...step.separators);
    words = step.kind === 'script' ? lastCommand(scripts[step.name] ?? '') : step.words;
  }
  return null;
}

function lastCommand(script: string): readonly string[] | null {
  const last = splitScript(script)?.at(-1);
  // After `||`, `|` or `&` the exit code of the line is not that of the runner.
  if (last === undefined || last.joinedBy === '||' || last.joinedBy === '|' || last.joinedBy === '&') return null;
  return /[|&]\s*$/.test(script.trim()) ? null : last.words;
}

function readCommand(words: readonly string[], scripts: Scripts): Step | null {
  const name = programName(words[0] ?? '');
  const args = words.slice(1);
  switch (name) {
    case 'vitest':
      return ['bench', 'typecheck', 'list', 'init'].includes(args[0] ?? '')
        ? null
        : { kind: 'runner', runner: 'vitest', args };
    case 'jest':
      return { kind: 'runner', runner: 'jest', args };
    case 'mocha':
    case '_mocha':
    case 'ts-mocha':
      return { kind: 'runner', runner: 'mocha', args };
    case 'node':
    case 'tsx':
      return readNode(args);
    case 'npm':
      return readNpm(args, scripts);
    case 'pnpm':
    case 'yarn':
      return readPnpmOrYarn(name, args, scripts);
    case 'cross-env':
    case 'env':
      return args.length === 0 || args[0]?.startsWith('-') === true ? null : { kind: 'command', words: args };
    case 'dotenv':
    case 'dotenvx':
    case 'c8':
    case 'nyc':
    case 'npx':
      return behindWrapper(args);
    default:
      return null;
  }
}

/** `node_modules/.bin/jest`, `./node_modules/mocha/bin/mocha.js` and `jest` are all known by their last part. */
function programName(word: string): string {
  return (word.split('/').at(-1) ?? '').replace(/\.(?:[cm]?js|cmd)$/, '');
}

const PROGRAMS = new Set(
  'vitest jest mocha _mocha ts-mocha node tsx npm pnpm yarn cross-env env dotenv c8 nyc npx'.split(' '),
);

/** A wrapper's options end where a program that is known here begins: their values (`--reporter lcov`) need not be understood. */
function behindWrapper(args: readonly string[]): Step | null {
  const at = args.findIndex((word) => PROGRAMS.has(programName(word)) && !word.startsWith('-'));
  return at === -1 ? null : { kind: 'command', words: args.slice(at) };
}

/** Options of node whose value is a word of its own. */
const NODE_OPTIONS_WITH_VALUE = new Set(
  '--import -r --require --loader --experimental-loader -C --conditions --env-file --test-name-pattern --test-reporter --test-reporter-destination --test-concurrency --test-timeout'.split(
    ' ',
  ),
);

function readNode(args: readonly string[]): Step | null {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '--test') return { kind: 'runner', runner: 'node-test', args };
    if (NODE_OPTIONS_WITH_VALUE.has(word)) at += 1;
    else if (!word.startsWith('-')) {
      const isRunner = ['vitest', 'jest', 'mocha', '_mocha'].includes(programName(word));
      return isRunner ? { kind: 'command', words: args.slice(at) } : null;
    }
  }
  return null;
}

function readNpm(args: readonly string[], scripts: Scripts): Step | null {
  const [verb, ...rest] = args.filter((word) => !['-s', '--silent', '--if-present'].includes(word));
  if (verb === 'exec') return behindWrapper(rest);
  const isTest = verb === 'test' || verb === 't' || verb === 'tst';
  const name = isTest ? 'test' : rest[0];
  if (!isTest && verb !== 'run' && verb !== 'run-script') return null;
  const handedOn = isTest ? rest : rest.slice(1);
  // A flag before `--` is npm's own (`--workspace`), and the script may then be another package's.
  if (name === undefined || !(name in scripts) || (handedOn.length > 0 && handedOn[0] !== '--')) return null;
  return { kind: 'script', name, separators: handedOn.length > 0 ? [] : ['--'] };
}

function readPnpmOrYarn(manager: 'pnpm' | 'yarn', args: readonly string[], scripts: Scripts): Step | null {
  const quiet = args[0] === '-s' || args[0] === '--silent' ? args.slice(1) : args;
  const named = quiet[0] === 'run' || quiet[0] === 'exec' ? quiet.slice(1) : quiet;
  const name = named[0] ?? '';
  // Other flags (`-r`, `--filter`, `-C`) choose other packages.
  if (name === '' || name.startsWith('-')) return null;
  if (quiet[0] !== 'exec' && name in scripts) return { kind: 'script', name, separators: [] };
  if (manager === 'pnpm' && quiet[0] !== 'exec' && name === 't' && 'test' in scripts) {
    return { kind: 'script', name: 'test', separators: [] };
  }
  return PROGRAMS.has(programName(name)) ? { kind: 'command', words: named } : null;
}
