import { parseArgs } from 'node:util';
import { BotError } from '../../domain/errors.ts';

export const SCENARIOS = ['merge', 'reject', 'red-baseline', 'bad-patch', 'crash', 'nothing-to-do'] as const;
export type Scenario = (typeof SCENARIOS)[number];

export interface DemoOptions {
  /** Nobody plays the maintainer: the demo does. Also without a terminal. */
  readonly auto: boolean;
  readonly scenario: Scenario;
  /** Path or URL of a git repository of which a copy is used; null for the sample. */
  readonly source: string | null;
  readonly unsandboxed: boolean;
  readonly logLevel: string;
}

/** Throws `command-unknown` with the usage for anything that is not understood. */
export function parseDemoOptions(args: readonly string[], hasTerminal: boolean): DemoOptions {
  const { values, positionals } = parse(args);
  const scenario = SCENARIOS.find((name) => name === (values.scenario ?? 'merge'));
  if (scenario === undefined) throw misuse(`There is no scenario "${values.scenario}".`);
  if (positionals.length > 1) throw misuse('Name one repository.');
  const source = positionals[0] ?? null;
  if (source !== null && scenario !== 'merge' && scenario !== 'reject') {
    throw misuse(`The scenario "${scenario}" is made for the sample; leave the repository out.`);
  }
  return {
    // A scenario is a story that is told: it needs the maintainer's part played.
    auto: values.auto === true || !hasTerminal || scenario !== 'merge',
    scenario,
    source,
    unsandboxed: values.unsandboxed === true,
    logLevel: values.verbose === true ? 'info' : 'error',
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        auto: { type: 'boolean' },
        scenario: { type: 'string' },
        unsandboxed: { type: 'boolean' },
        verbose: { type: 'boolean' },
      },
    });
  } catch (thrown) {
    throw misuse(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function misuse(problem: string): BotError {
  return new BotError(
    'command-unknown',
    `${problem}\nUsage: npm run demo -- [--auto] [--scenario ${SCENARIOS.join('|')}] [--unsandboxed] [--verbose] [PATH or URL]`,
  );
}
