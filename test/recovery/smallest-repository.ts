/** A library without dependencies in which every operation finds something, and whose tests take no time. */
export function smallestRepository(): Readonly<Record<string, string>> {
  return {
    '.gitignore': 'node_modules/\n',
    '.github/refactor-bot.yml': 'limits:\n  file_lines: 50\nrun_full_verifier_every: 2\n',
    'package.json': `${JSON.stringify({ name: 'smallest', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src'] }, null, 2)}\n`,
    'src/units.ts': UNITS,
    'src/parcels.ts': PARCELS,
    'test/parcels.test.ts': TEST,
  };
}

const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  types: [],
};

const UNITS = `export function toGrams(kilograms: number): number {
  return kilograms * 1000;
}

export function toKilograms(grams: number): number {
  return grams / 1000;
}
`;

const TYPES = ['Parcel', 'Letter', 'Pallet', 'Crate', 'Tube', 'Sack']
  .map(
    (name) => `/** One kind of thing to send. */
export interface ${name} {
  readonly grams: number;
  readonly widthMm: number;
  readonly heightMm: number;
  readonly reference: string;
}
`,
  )
  .join('\n');

const PARCELS = `import { toGrams, toKilograms } from './units.ts';

${TYPES}
/** What it weighs on the scale. */
export function weigh(parcel: Parcel): number {
  return toKilograms(parcel.grams);
}

export function describe(thing: Parcel | Letter | Pallet | Crate | Tube | Sack): string {
  return \`\${thing.reference}: \${thing.grams} g\`;
}

function volume(parcel: Parcel): number {
  return parcel.widthMm * parcel.heightMm;
}
`;

const TEST = `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describe, weigh } from '../src/parcels.ts';

const parcel = { grams: 1500, widthMm: 10, heightMm: 20, reference: 'A1' };

it('weighs', () => assert.equal(weigh(parcel), 1.5));
it('describes', () => assert.equal(describe(parcel), 'A1: 1500 g'));
`;
