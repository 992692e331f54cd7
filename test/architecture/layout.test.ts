import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SAYS_NOTHING = /(?:^|[-/])(?:utils?|helpers?|common|shared|misc|lib|manager|service|impl)(?:[-./]|$)/;

async function list(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name));
}

const sources = (await list('src')).filter((file) => file.endsWith('.ts') && !file.includes('/demo/sample/'));

describe('layout', () => {
  it('has source files to look at', () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it('has no name that says nothing, and no index file', () => {
    expect(
      sources.filter(
        (file) => SAYS_NOTHING.test(file.replaceAll('package-manager', '')) || /(?:^|\/)index\.[jt]s$/.test(file),
      ),
    ).toEqual([]);
  });

  it('reads the environment in one file alone', async () => {
    const readers: string[] = [];
    for (const file of sources) {
      if (/process\.env\b|from 'node:process'/.test(await readFile(file, 'utf8'))) readers.push(file);
    }
    expect(readers).toEqual(['src/config/load-settings.ts']);
  });

  it('has one class that extends another: the error', async () => {
    const heirs: string[] = [];
    for (const file of sources) {
      if (/class \w+ extends/.test(await readFile(file, 'utf8'))) heirs.push(file);
    }
    expect(heirs).toEqual(['src/domain/errors.ts']);
  });

  it('documents only npm scripts that exist', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    const text = await readFile('README.md', 'utf8');
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
