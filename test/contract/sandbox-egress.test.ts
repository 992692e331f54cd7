import { execFileSync } from 'node:child_process';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import { prepareToolchain, type PreparedToolchain } from '../../src/sandbox/prepare-toolchain.ts';
import { openSandboxBench, whyNoBubblewrap, type SandboxBench } from '../support/sandbox-drivers.ts';

const noBubblewrap = await whyNoBubblewrap();

describe.skipIf(noBubblewrap !== null)('the way out of the bubblewrap sandbox', () => {
  let bench: SandboxBench;
  let toolchain: PreparedToolchain;
  let port: number;
  const greeter = net.createServer((socket) => socket.on('data', () => socket.end('hello from outside')));
  beforeAll(async () => {
    bench = await openSandboxBench('bubblewrap');
    toolchain = await prepareToolchain({ dataDir: bench.root });
    await new Promise<void>((resolve) => greeter.listen(0, '127.0.0.1', resolve));
    port = (greeter.address() as net.AddressInfo).port;
  });
  afterAll(async () => {
    greeter.close();
    await bench.remove();
  });

  const mounts = () =>
    [
      { host: bench.tree, at: '/work', mode: 'rw' },
      { host: toolchain.dir, at: '/opt/toolchain', mode: 'ro' },
    ] as const;
  const connect = (target: string) =>
    `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\n\\r\\nword' >&3; cat <&3; exec 3>&-`;

  test('leads to the allowed host alone, tells what was refused, and leaves nothing behind', async () => {
    const rules = [{ host: 'localhost', port, allowPrivateAddress: true }];
    const script = `(${connect(`localhost:${port}`)}); (${connect('elsewhere.test:443')}); echo "$HTTPS_PROXY"; exit 7`;
    const result = await bench.run(script, { mounts: mounts(), network: { mode: 'allow', rules } });
    expect(result.stdout).toContain('hello from outside');
    expect(result.stdout).toContain('403 Forbidden');
    expect(result.stdout).toContain('http://127.0.0.1:3128');
    expect(result.outcome).toEqual({ kind: 'exited', code: 7 });
    expect(result.deniedHosts).toEqual(['elsewhere.test:443']);
    expect(readdirSync(bench.scratchDir)).toEqual(['etc']);
  });

  test('is not there for a command without network', async () => {
    const result = await bench.run(connect(`localhost:${port}`), { mounts: mounts() });
    expect(result.stdout).toBe('');
    expect(result.outcome.kind).toBe('exited');
    expect(result.deniedHosts).toEqual([]);
  });

  test('the toolchain is made once, whole, and runs inside', async () => {
    const before = statSync(toolchain.dir).ctimeMs;
    expect(await prepareToolchain({ dataDir: bench.root })).toEqual(toolchain);
    expect(statSync(toolchain.dir).ctimeMs).toBe(before);
    expect(readdirSync(path.dirname(toolchain.dir))).toEqual([path.basename(toolchain.dir)]);
    const result = await bench.run(
      'node --version; npm --version; npx --version; command -v node; touch /opt/toolchain/x',
      { mounts: mounts() },
    );
    expect(result.stdout).toBe(
      `v${toolchain.nodeVersion}\n${toolchain.npmVersion}\n${toolchain.npmVersion}\n/opt/toolchain/bin/node\n`,
    );
    expect(result.stderr).toMatch(/Read-only file system/);
    expect(toolchain.dir).toBe(realpathSync(toolchain.dir) as TrustedPath);
    // Hostile umask or not, nobody but the bot may write it.
    expect(execFileSync('find', [toolchain.dir, '-perm', '/022', '-not', '-type', 'l'], { encoding: 'utf8' })).toBe('');
  });
});
