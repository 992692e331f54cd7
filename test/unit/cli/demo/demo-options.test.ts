import { describe, expect, it } from 'vitest';
import { parseDemoOptions, SCENARIOS } from '../../../../src/cli/demo/demo-options.ts';

describe('parseDemoOptions', () => {
  it('waits for a person at a terminal, and plays the maintainer without one', () => {
    expect(parseDemoOptions([], true)).toMatchObject({
      auto: false,
      scenario: 'merge',
      source: null,
      unsandboxed: false,
    });
    expect(parseDemoOptions([], false).auto).toBe(true);
    expect(parseDemoOptions(['--auto'], true).auto).toBe(true);
  });

  it.each(SCENARIOS)('knows the scenario %s', (scenario) => {
    expect(parseDemoOptions(['--scenario', scenario], true)).toMatchObject({ scenario, auto: scenario !== 'merge' });
  });

  it('takes one repository, to merge or to reject', () => {
    expect(parseDemoOptions(['--unsandboxed', './there'], true)).toMatchObject({
      source: './there',
      unsandboxed: true,
    });
    expect(parseDemoOptions(['--scenario=reject', './there'], true)).toMatchObject({
      source: './there',
      scenario: 'reject',
    });
  });

  it.each([
    [['--scenario', 'merg']],
    [['--scenario']],
    [['--scenario', 'crash', './there']],
    [['one', 'two']],
    [['--nonsense']],
    [['--auto=yes']],
  ])('refuses %j with the usage', (args) => {
    expect(() => parseDemoOptions(args, true)).toThrow(
      expect.objectContaining({ code: 'command-unknown', message: expect.stringContaining('Usage: npm run demo') }),
    );
  });
});
