import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTestRunner } from '../../../../src/pipeline/checkout/find-test-runner.ts';
import { reportingCommand } from '../../../../src/pipeline/checkout/reporting-command.ts';
import { splitScript } from '../../../../src/pipeline/checkout/split-script.ts';

describe('findTestRunner', () => {
  it.each([
    ['vitest', 'vitest'],
    ['tsc --noEmit && vitest --run', 'vitest'],
    ['cross-env NODE_ENV=test jest --coverage', 'jest'],
    ['NODE_ENV=test c8 --reporter lcov mocha -r tsx "test/**/*.ts"', 'mocha'],
    ['nyc --check-coverage npx mocha', 'mocha'],
    ['dotenv -e .env.test -- vitest run', 'vitest'],
    ['node --import tsx --test test/*.ts', 'node-test'],
    ['tsx --test', 'node-test'],
    ['node --experimental-vm-modules node_modules/jest/bin/jest.js', 'jest'],
    ['./node_modules/.bin/_mocha', 'mocha'],
    ['pnpm exec vitest', 'vitest'],
    ['yarn jest', 'jest'],
  ])('sees through wrappers: %s', (script, runner) => {
    expect(findTestRunner('npm test', { test: script })?.runner).toBe(runner);
  });

  it.each([
    'ava',
    'vitest run; echo done',
    'vitest || true',
    'jest | tee log',
    'jest > log',
    '(cd a && jest)',
    'jest $(cat files)',
    'jest &',
    'pnpm -r run test',
    'npm run test --workspaces',
    'npm test',
    'vitest typecheck',
    'node test.js',
    'jest --',
  ])('does not guess: %s', (script) => {
    expect(findTestRunner('npm test', { test: script })).toBeNull();
  });

  it('survives any script', () => {
    const word = fc.constantFrom(
      'npm',
      'run',
      'test',
      'a',
      '&&',
      '||',
      '--',
      'node',
      '--test',
      '"',
      "'",
      'x=1',
      '$(',
      '\\',
      '-r',
    );
    const scripts = fc.dictionary(
      fc.constantFrom('test', 'a'),
      fc.oneof(
        fc.string(),
        fc.array(word).map((all) => all.join(' ')),
      ),
    );
    fc.assert(fc.property(scripts, (given) => void findTestRunner('npm test', given)));
  });
});

describe('reportingCommand', () => {
  const jest = '--json --outputFile=/exchange/test-report';

  it.each([
    ['npm test', `npm test -- ${jest}`],
    ['npm run test -- --silent', `npm run test -- --silent ${jest}`],
    ['pnpm run test', `pnpm run test ${jest}`],
    ['yarn test', `yarn test ${jest}`],
    ['npx jest', `npx jest ${jest}`],
  ])('hands the arguments on as each package manager wants it: %s', (command, expected) => {
    expect(reportingCommand(command, { test: 'jest' })?.command).toBe(expected);
  });

  it('needs a separator for each npm on the way, and none for one that is there', () => {
    const scripts = { ci: 'npm run test', test: 'npm run unit -- --coverage', unit: 'jest' };
    expect(reportingCommand('npm run ci', scripts)?.command).toBe(`npm run ci -- -- ${jest}`);
    expect(reportingCommand('pnpm ci', { ci: 'npm test', test: 'jest' })?.command).toBe(`pnpm ci -- ${jest}`);
  });

  it('makes vitest run once', () => {
    const found = reportingCommand('npm test', { test: 'vitest watch' });
    expect(found?.command).toBe(
      'npm test -- --run --reporter=default --reporter=json --outputFile.json=/exchange/test-report',
    );
    // vitest 1 refuses an option that is given twice.
    expect(reportingCommand('yarn vitest --run', {})?.command.match(/--run/g)).toHaveLength(1);
  });

  it('asks node by its environment, agreeing with the reporters that the script has', () => {
    const options = (script: string) =>
      /NODE_OPTIONS='([^']*)' npm test$/.exec(reportingCommand('npm test', { test: script })?.command ?? '')?.[1];
    const ours =
      '--test-reporter=/opt/refactor-bot/test-reporters/node-test-reporter.mjs --test-reporter-destination=/exchange/test-report';
    expect(options('node --test test/*.js')).toBe(`--test-reporter=spec --test-reporter-destination=stdout ${ours}`);
    expect(options('node --test --test-reporter=dot')).toBe(`${ours} --test-reporter-destination=stdout`);
    expect(options('node --test --test-reporter tap --test-reporter-destination out.tap')).toBe(ours);
    expect(options('NODE_OPTIONS=--import=tsx node --test')).toBeUndefined();
  });
});

it('splits a script into simple commands', () => {
  expect(splitScript(`a 'b c' "d \\" e"f\\ g && h;i`)).toEqual([
    { words: ['a', 'b c', 'd " ef g'], joinedBy: '' },
    { words: ['h'], joinedBy: '&&' },
    { words: ['i'], joinedBy: ';' },
  ]);
  expect(splitScript('a "$HOME" $X')).toEqual([{ words: ['a', '$HOME', '$X'], joinedBy: '' }]);
  for (const unknown of ['a > b', '(a)', 'a `b`', 'a "$(b)"', 'a "b', '# a', '&& a'])
    expect(splitScript(unknown)).toBeNull();
});
