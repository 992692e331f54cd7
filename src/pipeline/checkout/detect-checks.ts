import type { PackageManager } from '../../domain/toolchain.ts';
import type { Check, CheckKind } from '../../domain/verdict.ts';
import type { ReadText } from './detect-package-manager.ts';
import type { Scripts } from './find-test-runner.ts';
import type { PackageManifest } from './package-manifest.ts';
import { reportingCommand } from './reporting-command.ts';

/** Script names per kind of check, the one to prefer first. */
const SCRIPT_NAMES = {
  unit: ['test:unit', 'unit', 'test:ci', 'test', 'test:node', 'test:spec', 'tests', 'vitest', 'jest', 'mocha'],
  lint: ['lint', 'lint:ci', 'lint:check', 'test:lint', 'lint:js', 'lint:ts', 'eslint', 'oxlint', 'check:lint', 'biome'],
  typecheck: [
    'typecheck',
    'type-check',
    'check-types',
    'check:types',
    'check:type',
    'types:check',
    'test:types',
    'tsc',
    'types',
  ],
  build: ['build'],
} as const satisfies Partial<Record<CheckKind, readonly string[]>>;

type DetectedKind = keyof typeof SCRIPT_NAMES;

/** Why a script of a promising name is no check, by its text; in the words of a person. */
const UNFIT: readonly { readonly kinds: readonly DetectedKind[]; readonly pattern: RegExp; readonly reason: string }[] =
  [
    { kinds: ['unit'], pattern: /no test specified/i, reason: 'it is the placeholder of npm init' },
    {
      kinds: ['unit'],
      pattern: /\b(?:playwright|cypress|karma|testcafe|nightwatch|wtr|web-test-runner)\b|--browser\b/,
      reason: 'it needs a browser',
    },
    {
      kinds: ['unit'],
      // vitest is told to run once; the others have no argument that takes a watch back.
      pattern: /(?:jest|mocha|node|tsx|ava)\b[^&|;]*\s(?:--watch(?:All)?(?!=false)|-w)\b/i,
      reason: 'it watches for changes and does not end',
    },
    {
      kinds: ['build', 'typecheck', 'lint'],
      pattern: /\s(?:--watch(?!=false)|-w)\b/,
      reason: 'it watches for changes and does not end',
    },
    { kinds: ['lint'], pattern: /\s--(?:fix|write)(?!-dry-run)\b/, reason: 'it changes files' },
  ];

export interface DetectedChecks {
  readonly fast: readonly Check[];
  readonly full: readonly Check[];
  readonly notes: readonly string[];
}

/** Unit tests and lint are `fast`; `full` adds type check and build, with the build last because it writes into the tree. */
export function detectChecks(manifest: PackageManifest, manager: PackageManager, readText: ReadText): DetectedChecks {
  const notes: string[] = [];
  const pick = (kind: DetectedKind): Check | null => {
    const found = fitScripts(kind, manifest.scripts);
    notes.push(...found.notes);
    const checks = found.names.map((name) => scriptCheck(kind, runScript(manager, name), manifest.scripts));
    // A runner that names its tests says more than a script of a better name ("test" may run all that begins with it).
    return checks.find((check) => check.report !== 'exit-code') ?? checks[0] ?? null;
  };
  const fast = [pick('unit'), pick('lint')].filter((check) => check !== null);
  const typecheck = pick('typecheck') ?? ownTypecheck(manifest, manager, readText);
  const full = [...fast, typecheck, pick('build')].filter((check) => check !== null);
  return { fast, full, notes };
}

/** A command from the repository's configuration; its runner is recognised in the same way. */
export function configuredCheck(command: string, scripts: Scripts): Check {
  return { ...scriptCheck(kindOfCommand(command), command, scripts), source: 'config' };
}

/** The scripts that can be such a check, best name first, and why others of promising names cannot. */
function fitScripts(kind: DetectedKind, scripts: Scripts): { names: readonly string[]; notes: readonly string[] } {
  const named = SCRIPT_NAMES[kind].filter((name) => name in scripts);
  const unfit = named.flatMap((name) => {
    const rule = UNFIT.find(({ kinds, pattern }) => kinds.includes(kind) && pattern.test(scripts[name] ?? ''));
    return rule === undefined ? [] : [{ name, reason: rule.reason }];
  });
  return {
    names: named.filter((name) => unfit.every((entry) => entry.name !== name)),
    notes: unfit.map(({ name, reason }) => `The script "${name}" is not used as ${kind} check: ${reason}.`),
  };
}

function scriptCheck(kind: CheckKind, command: string, scripts: Scripts): Check {
  const reporting = kind === 'unit' || kind === 'integration' ? reportingCommand(command, scripts) : null;
  if (reporting === null) return { kind, command, source: 'detected', report: 'exit-code' };
  return { kind, command, source: 'detected', report: reporting.runner, reportingCommand: reporting.command };
}

/** With TypeScript and a `tsconfig.json`, but no script for it. A solution file (`references`) checks nothing without emitting. */
function ownTypecheck(manifest: PackageManifest, manager: PackageManager, readText: ReadText): Check | null {
  const config = readText('tsconfig.json');
  if (config === null || !manifest.dependencies.has('typescript') || /"references"\s*:/.test(config)) return null;
  return { kind: 'typecheck', command: runBinary(manager, 'tsc --noEmit'), source: 'detected', report: 'exit-code' };
}

function runScript(manager: PackageManager, script: string): string {
  const quoted = /^[\w:.-]+$/.test(script) ? script : `'${script}'`;
  if (manager.name === 'npm') return script === 'test' ? 'npm test' : `npm run ${quoted}`;
  return `${manager.name === 'pnpm' ? 'pnpm' : 'yarn'} run ${quoted}`;
}

function runBinary(manager: PackageManager, command: string): string {
  if (manager.name === 'npm') return `npx --no ${command.replace(' ', ' -- ')}`;
  return manager.name === 'pnpm' ? `pnpm exec ${command}` : `yarn run ${command}`;
}

/** What a maintainer configures as a verifier is taken for a test unless its words say otherwise: `test:lint` is no test. */
function kindOfCommand(command: string): CheckKind {
  const words = command.replaceAll(/\btests?:(?=(?:lint|format|types?|typecheck|build)\b)/g, '');
  if (/\btests?\b|\b(?:vitest|jest|mocha|pytest)\b/.test(words)) return 'unit';
  if (/\b(?:lint|format|eslint|oxlint|biome|prettier|ruff|clippy)\b/.test(words)) return 'lint';
  if (/\b(?:tsc|types?|type-?check|check-types|mypy)\b/.test(words)) return 'typecheck';
  return /\b(?:build|compile)\b/.test(words) ? 'build' : 'unit';
}
