import { EXIT_CODES } from './cli/exit-codes.ts';
import { requireNode } from './cli/require-node.ts';
import { toBotError } from './domain/errors.ts';

const USAGE = `refactor-bot <command>

  demo [--auto] [--scenario NAME] [--unsandboxed] [PATH or URL]
          The whole job on an embedded GitHub: on the sample, or on a copy of any git repository.
  help    This text.

docs/commands.md says more.
`;

/** Each command answers its exit code. Loaded when asked for: help must not need a database. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  demo: async (args) => (await import('./cli/demo/demo.ts')).demo(args),
  help: async () => {
    process.stdout.write(USAGE);
    return EXIT_CODES.ok;
  },
};

async function main(args: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = args;
  const command = COMMANDS[name === '--help' || name === '-h' ? 'help' : name];
  if (command === undefined) {
    process.stderr.write(`There is no command "${name}".\n\n${USAGE}`);
    return EXIT_CODES.usage;
  }
  return command(rest);
}

requireNode();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (thrown) {
  const error = toBotError(thrown);
  process.stderr.write(`${error.message}\n`);
  if (error.category === 'bug' && error.cause instanceof Error) process.stderr.write(`${error.cause.stack ?? ''}\n`);
  process.exitCode = EXIT_CODES.error;
}
