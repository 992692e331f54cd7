import { REPORT_FILE, TEST_REPORTERS } from '../../domain/verdict.ts';
import type { TestRunner } from '../../domain/verdict.ts';
import { findTestRunner, type FoundRunner, type Scripts } from './find-test-runner.ts';

export interface Reporting {
  readonly runner: TestRunner;
  /** The command, made to print as before and to leave `REPORT_FILE` as well. */
  readonly command: string;
}

/** Null when no runner is recognised, or when it cannot be asked for a report: then the exit code alone decides. */
export function reportingCommand(command: string, scripts: Scripts): Reporting | null {
  const found = findTestRunner(command, scripts);
  if (found === null) return null;
  if (found.runner === 'node-test') {
    const nodeOptions = nodeTestOptions(found);
    return nodeOptions && { runner: 'node-test', command: `NODE_OPTIONS='${nodeOptions.join(' ')}' ${command}` };
  }
  const appended = [...found.separators, ...reportArguments(found.runner, found.args)];
  return { runner: found.runner, command: `${command} ${appended.join(' ')}` };
}

function reportArguments(runner: Exclude<TestRunner, 'node-test'>, given: readonly string[]): readonly string[] {
  switch (runner) {
    case 'vitest': {
      // `--run` also ends `vitest watch` and `vitest --watch`; given twice, older vitests refuse it.
      const once = given.includes('--run') ? [] : ['--run'];
      return [...once, '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT_FILE}`];
    }
    case 'jest':
      return ['--json', `--outputFile=${REPORT_FILE}`];
    case 'mocha':
      // mocha has room for one reporter, and its own JSON one prints nothing for a person and knows no suite paths.
      return ['--reporter', TEST_REPORTERS.mocha, '--reporter-option', `output=${REPORT_FILE}`];
  }
}

/**
 * By environment, not by argument: node takes what follows the first file pattern for another pattern, so nothing appended to
 * `node --test test/*.js` would be an option. Reporters and destinations are matched by their order, and those of the environment
 * come before those of the command line; null when they cannot be made to agree.
 */
function nodeTestOptions(found: FoundRunner): readonly string[] | null {
  if (found.setsNodeOptions) return null;
  const count = (option: string): number =>
    found.args.filter((word) => word === option || word.startsWith(`${option}=`)).length;
  const reporters = count('--test-reporter');
  const destinations = count('--test-reporter-destination');
  const ours = [`--test-reporter=${TEST_REPORTERS.nodeTest}`, `--test-reporter-destination=${REPORT_FILE}`];
  const toStdout = '--test-reporter-destination=stdout';
  if (reporters === 0 && destinations === 0) return ['--test-reporter=spec', toStdout, ...ours];
  if (reporters === destinations) return ours;
  return reporters === 1 && destinations === 0 ? [...ours, toStdout] : null;
}
