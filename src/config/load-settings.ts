import { readFileSync } from 'node:fs';

import { parseSettings, type Settings } from './settings.ts';

/** The only reader of the environment. Throws `settings-invalid` with every problem at once. */
export function loadSettings(): Settings {
  return parseSettings({
    env: process.env,
    workingDir: process.cwd(),
    readText: (path) => readFileSync(path, 'utf8'),
  });
}
