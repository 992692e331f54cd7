import { writeFileSync } from 'node:fs';

import { CONFIG_SCHEMA_FILE, renderConfigSchema } from './config-schema.ts';

writeFileSync(CONFIG_SCHEMA_FILE, renderConfigSchema());
