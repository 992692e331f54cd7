import { z } from 'zod';

import { repoConfigSchema } from '../../src/config/repo-config.ts';

export const CONFIG_SCHEMA_FILE = new URL('../../schemas/config.schema.json', import.meta.url);

/** The JSON Schema that editors use for the configuration file, as it is committed. */
export function renderConfigSchema(): string {
  const schema = z.toJSONSchema(repoConfigSchema, { target: 'draft-2020-12', io: 'input' });
  const { $schema, ...rest } = schema;
  const document = {
    $schema,
    title: 'refactor-bot configuration',
    description: '.github/refactor-bot.yml or .refactor-bot.config.json on the default branch.',
    ...rest,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
