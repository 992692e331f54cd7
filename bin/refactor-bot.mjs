#!/usr/bin/env node
// Built JavaScript when installed from a package, the sources in a checkout: Node strips types everywhere but below node_modules.
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli.js', import.meta.url);
await import(existsSync(built) ? built.href : new URL('../src/cli.ts', import.meta.url).href);
