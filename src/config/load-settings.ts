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

/** What the demo takes from the environment: how this machine reaches its package registry. */
export function loadRegistrySettings(): Pick<Settings, 'registryUrl' | 'registryHosts' | 'extraCaCertificates'> {
  return {
    registryUrl: process.env['npm_config_registry'] ?? null,
    registryHosts: [],
    extraCaCertificates: process.env['NODE_EXTRA_CA_CERTS'] ?? null,
  };
}
