#!/usr/bin/env node
import { existsSync } from 'node:fs';

// Before anything is imported: an older Node stops at the first line of TypeScript with words that help nobody.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `refactor-bot needs Node 24 or newer; this is ${process.version}. In a checkout "npm run demo" brings the right one.\n`,
  );
  process.exit(2);
}

// Built JavaScript when installed from a package, the sources in a checkout: Node strips types everywhere but below node_modules.
const built = new URL('../dist/cli.js', import.meta.url);
await import(existsSync(built) ? built.href : new URL('../src/cli.ts', import.meta.url).href);
