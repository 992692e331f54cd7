import type { SandboxLimits } from './sandbox.ts';

const OPEN_FILES = 8192;

/**
 * Closes what was inherited by accident and sets the kernel's limits, then becomes the command. A descriptor of a host directory left
 * open would lead out of any sandbox (`..`), and what the bot itself was started with is not ours to know. bash, because other shells
 * cannot name descriptors above 9; `-p`, because it then reads nothing that its environment names.
 * A limit that cannot be set is below the wanted one already.
 */
const LAUNCH = `
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  case $fd in 0|1|2|*[!0-9]*) ;; *) eval "exec $fd>&-" ;; esac
done
{
  ulimit -c 0
  ulimit -f "$1"
  ulimit -d "$2"
  ulimit -n "$3"
  [ -z "$4" ] || ulimit -u "$4"
} 2>/dev/null
shift 4
unset SHLVL OLDPWD
exec "$@"`;

/** What goes before a command. `processes` is null where the user has other processes too, as the kernel would count those. */
export function commandLauncher(
  limits: Pick<SandboxLimits, 'fileBytes' | 'memoryBytes'> & { readonly processes: number | null },
): readonly string[] {
  return [
    ...BASH,
    LAUNCH,
    'bash',
    kilobytes(limits.fileBytes),
    // Between two looks of the memory watchdog one process cannot take more than this. Twice the limit, as it counts what is mapped
    // for writing, used or not. Address space itself cannot be limited: engines reserve far more than they use.
    kilobytes(2 * limits.memoryBytes),
    String(OPEN_FILES),
    limits.processes === null ? '' : String(limits.processes),
  ];
}

/** Runs the script that follows it. */
export const BASH = ['/bin/bash', '-p', '-c'] as const;

function kilobytes(bytes: number): string {
  return String(Math.max(1, Math.floor(bytes / 1024)));
}
