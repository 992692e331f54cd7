import { rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { BotError } from '../domain/errors.ts';
import type { TrustedPath } from '../domain/workspace.ts';
import { baseEnvironment } from './base-environment.ts';
import type { Sandbox, SandboxLimits, SandboxProbe, SandboxResult } from './sandbox.ts';

const MEGABYTE = 1024 * 1024;
const LIMITS: SandboxLimits = {
  wallMs: 20_000,
  silenceMs: 20_000,
  memoryBytes: 512 * MEGABYTE,
  processes: 64,
  fileBytes: 16 * MEGABYTE,
  tmpBytes: 16 * MEGABYTE,
  diskBytes: 16 * MEGABYTE,
  outputBytes: 64 * 1024,
};

/**
 * What untrusted code would try first, each line printing its name when it succeeds. `$1` is a file of the host, `$2` a port on which the
 * host listens. Opening a kernel setting for appending is the attempt itself: nothing is written. Without perl the machine channel
 * is judged by the filter's presence.
 */
const CANARIES = `
cat "$1" 2>/dev/null && echo BROKEN host-file
[ "$(wc -c </proc/1/environ)" = 0 ] || echo BROKEN starter-environment
(exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null && echo BROKEN network
(: >>/proc/sys/vm/overcommit_memory) 2>/dev/null && echo BROKEN kernel-setting
unshare --user true 2>/dev/null && echo BROKEN user-namespace
grep -q '^Seccomp:[[:space:]]*2$' /proc/self/status || echo BROKEN system-call-filter
grep -q '^NoNewPrivs:[[:space:]]*1$' /proc/self/status || echo BROKEN new-privileges
grep -q '^CapBnd:[[:space:]]*0*$' /proc/self/status || echo BROKEN capabilities
perl -e 'socket(my $s, 40, 1, 0) or exit 1' 2>/dev/null && echo BROKEN machine-channel
for dir in / /usr /etc /dev; do (: >"$dir/canary") 2>/dev/null && echo "BROKEN write-to-$dir"; done
echo TRIED`;

/** Tries the canaries once and says how well the driver holds here. Never throws: what is missing is the answer. */
export async function probeBubblewrap(driver: {
  readonly run: Sandbox['run'];
  readonly scratchDir: TrustedPath;
}): Promise<SandboxProbe> {
  const secret = path.join(driver.scratchDir, `canary-${randomUUID()}`);
  const listener = net.createServer((socket) => socket.destroy());
  try {
    await writeFile(secret, 'the canary was read\n', { mode: 0o644 });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const result = await driver.run(
      {
        argv: ['/bin/bash', '-c', CANARIES, 'bash', secret, String(port)],
        cwd: '/tmp',
        mounts: [],
        env: baseEnvironment(),
        network: { mode: 'none' },
        limits: LIMITS,
      },
      new AbortController().signal,
    );
    return judgeCanaries(result);
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    return { driver: 'bubblewrap', level: 'none', missing: [error.message] };
  } finally {
    listener.close();
    await rm(secret, { force: true });
  }
}

/** Pure: from what the canaries printed. */
export function judgeCanaries(result: Pick<SandboxResult, 'outcome' | 'stdout' | 'stderr'>): SandboxProbe {
  const broken = [...result.stdout.matchAll(/^BROKEN (.+)$/gm)].map((found) => found[1] ?? '');
  const tried = /^TRIED$/m.test(result.stdout);
  if (tried && broken.length === 0) return { driver: 'bubblewrap', level: 'full', missing: [] };
  if (broken.length > 0) {
    const missing = broken.map(
      (name) => `The sandbox does not hold on this machine: ${name}. Use another machine, and report this.`,
    );
    return { driver: 'bubblewrap', level: 'none', missing };
  }
  const words = 'detail' in result.outcome ? result.outcome.detail : result.stderr.trim();
  return {
    driver: 'bubblewrap',
    level: 'none',
    missing: [`bubblewrap does not start here (${words}). ${remedyFor(words)}`],
  };
}

/** Known complaints of bubblewrap, each with the line that mends it. */
const REMEDIES: readonly { readonly words: RegExp; readonly remedy: string }[] = [
  {
    words: /uid map: Permission denied|RTM_NEWADDR/,
    remedy:
      'Ubuntu 24.04 and later restrict user namespaces: apt-get install apparmor-profiles && cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict',
  },
  {
    words: /mount proc/,
    remedy:
      'In a container, start it with: --security-opt systempaths=unconfined and a seccomp profile that allows clone, unshare, mount and pivot_root to ordinary users.',
  },
  {
    words:
      /No permissions to creat(?:e|ing) (?:a )?new namespace|Creating new namespace failed|Operation not permitted/,
    remedy:
      'Unprivileged user namespaces are off: sysctl -w kernel.unprivileged_userns_clone=1 (Debian) or raise user.max_user_namespaces; in a container, allow clone and unshare in its seccomp profile.',
  },
  {
    words: /bind-fd|disable-userns|Unknown option/,
    remedy:
      'Install bubblewrap 0.10 or newer, or a distribution version with the fix for CVE-2024-42472: apt-get install bubblewrap',
  },
];

function remedyFor(words: string): string {
  return (
    REMEDIES.find((known) => known.words.test(words))?.remedy ??
    'Run the same as an ordinary user by hand: bwrap --ro-bind / / --unshare-all true'
  );
}
