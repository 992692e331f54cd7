import { stat } from 'node:fs/promises';
import path from 'node:path';
import { BASH } from './command-launcher.ts';
import type { SandboxUser } from './run-directories.ts';

/** Covered by a memory file system in a mount namespace that only the one command sees. */
const STAGE = '/mnt';

/**
 * bubblewrap looks its mounts up by name even when it gets them as descriptors (0.8.0), as the user it runs as. A bot that is root may
 * keep its data below a directory closed to that user, such as root's home: then root binds the descriptors to an open place first,
 * in a mount namespace of this command's own, and becomes the user after.
 */
export interface Stage {
  /** Where descriptor `fd` can be found by name. */
  place(fd: number): string;
  /** Goes before bubblewrap, and must be started as root. */
  readonly launcher: readonly string[];
}

/** Null when the user reaches every directory by itself. */
export async function stageFor(
  directories: readonly { readonly host: string; readonly fd: number }[],
  user: SandboxUser,
): Promise<Stage | null> {
  if (user === null || process.getuid?.() !== 0) return null;
  const reachable = await Promise.all(directories.map(({ host }) => isReachable(host, user)));
  if (reachable.every(Boolean)) return null;
  const fds = directories.map(({ fd }) => String(fd));
  return {
    place: (fd) => `${STAGE}/${fd}`,
    launcher: [...OWN_MOUNTS, ...BASH, BIND_THEN_DROP, 'bash', String(user.uid), String(user.gid), fds.join(' ')],
  };
}

const OWN_MOUNTS = ['/usr/bin/unshare', '--mount', '--propagation', 'private', '--'];

/**
 * `$1` uid, `$2` gid, `$3` descriptors; what follows is run as that user, without any capability left to gain. A descriptor is closed
 * as soon as it is bound: it still belongs to the host's mounts.
 */
const BIND_THEN_DROP = `
set -e
PATH=/usr/bin:/bin
uid=$1 gid=$2 fds=$3
shift 3
mount -t tmpfs -o size=64k,mode=0755 stage ${STAGE}
for fd in $fds; do
  mkdir ${STAGE}/$fd
  mount --bind /proc/self/fd/$fd ${STAGE}/$fd
  eval "exec $fd>&-"
done
exec env -i /usr/bin/setpriv --reuid "$uid" --regid "$gid" --clear-groups --inh-caps=-all --bounding-set=-all -- "$@"`;

/** Whether every parent of a directory may be passed by the user. */
async function isReachable(directory: string, user: { readonly uid: number; readonly gid: number }): Promise<boolean> {
  for (let parent = path.dirname(directory); ; parent = path.dirname(parent)) {
    const found = await stat(parent);
    const bit = found.uid === user.uid ? 0o100 : found.gid === user.gid ? 0o010 : 0o001;
    if ((found.mode & bit) === 0) return false;
    if (parent === path.dirname(parent)) return true;
  }
}
