import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

import { repoConfigSchema } from '../../src/config/repo-config.ts';
import { CONFIG_SCHEMA_FILE, renderConfigSchema } from '../support/config-schema.ts';

test('schemas/config.schema.json is what npm run schemas writes', () => {
  expect(readFileSync(CONFIG_SCHEMA_FILE, 'utf8')).toBe(renderConfigSchema());
});

test('the published schema and the bot agree on what is valid', () => {
  const validate = new Ajv2020().compile(JSON.parse(readFileSync(CONFIG_SCHEMA_FILE, 'utf8')));
  const files = [
    {},
    { label: 'tidy', approval: 'required', limits: { file_lines: 300 } },
    { lable: 'tidy' },
    { retry_per_batch: 6 },
    { limits: { file_line: 300 } },
    { operations: ['format'] },
    { fast_verifier: 'npm test' },
  ];
  expect(files.map((file) => validate(file))).toEqual(files.map((file) => repoConfigSchema.safeParse(file).success));
});
