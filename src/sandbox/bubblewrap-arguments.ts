import path from 'node:path';
import { INSIDE_HOME } from './base-environment.ts';
import type { HostLayout } from './host-layout.ts';
import { INSIDE_USER } from './synthetic-etc.ts';

/** A host directory by its open descriptor, so that it is the one that was meant, or by the name of the place it is staged at. */
export type MountSource = { readonly fd: number } | { readonly path: string };

export interface BoundDirectory {
  readonly source: MountSource;
  readonly at: string;
  readonly mode: 'ro' | 'rw';
}

export interface BubblewrapLayout {
  readonly host: HostLayout;
  readonly etc: { readonly source: MountSource; readonly fromHost: readonly string[] };
  readonly mounts: readonly BoundDirectory[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly tmpBytes: number;
}

const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

/** One option with its values. */
type Option = readonly string[];

/**
 * Everything about one sandbox that goes through `--args`, as bubblewrap shows its own command line to the sandboxed program.
 * Namespaces are spelled out: `--unshare-all` would go on without one that the kernel refuses.
 */
export function bubblewrapArguments(layout: BubblewrapLayout): readonly string[] {
  const options: readonly Option[] = [
    ...ISOLATION,
    ...systemDirectories(layout.host),
    ...etcDirectory(layout.etc),
    ...scratchDirectories(layout.tmpBytes),
    ...boundDirectories(layout.mounts),
    ['--chdir', layout.cwd],
    // Last, when every mount point is made: the root is memory of the host, and without a limit of its own.
    ['--remount-ro', '/'],
    ...Object.entries(layout.env).map(([name, value]) => ['--setenv', name, value]),
  ];
  return options.flat();
}

const ISOLATION: readonly Option[] = [
  ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
  ['--disable-userns', '--assert-userns-disabled'],
  ['--die-with-parent'],
  ['--new-session'],
  ['--clearenv'],
  ['--cap-drop', 'ALL'],
  ['--hostname', 'sandbox'],
  ['--uid', String(INSIDE_USER.uid), '--gid', String(INSIDE_USER.gid)],
];

function systemDirectories(host: HostLayout): readonly Option[] {
  return [
    ['--ro-bind', '/usr', '/usr'],
    ...host.links.map(({ at, target }) => ['--symlink', target, at]),
    ...host.directories.map((directory) => ['--ro-bind', directory, directory]),
  ];
}

function etcDirectory(etc: BubblewrapLayout['etc']): readonly Option[] {
  return [
    bind({ source: etc.source, at: '/etc', mode: 'ro' }),
    ...etc.fromHost.map((name) => ['--ro-bind', `/etc/${name}`, `/etc/${name}`]),
  ];
}

/** Memory file systems have half the machine's memory as their size unless told otherwise. */
function scratchDirectories(tmpBytes: number): readonly Option[] {
  const sized = (bytes: number, at: string, perms: string) => [
    '--perms',
    perms,
    '--size',
    String(bytes),
    '--tmpfs',
    at,
  ];
  return [
    ['--proc', '/proc'],
    ['--dev', '/dev'],
    sized(Math.min(SHARED_MEMORY_BYTES, tmpBytes), '/dev/shm', '1777'),
    ['--remount-ro', '/dev'],
    sized(tmpBytes, '/tmp', '1777'),
    emptyDirectory(path.posix.dirname(INSIDE_HOME)),
    sized(tmpBytes, INSIDE_HOME, '0700'),
    emptyDirectory('/run'),
    emptyDirectory('/var'),
    ['--symlink', '/tmp', '/var/tmp'],
  ];
}

/** Made by name, as bubblewrap makes missing parents closed to all but their owner. */
function emptyDirectory(at: string): Option {
  return ['--perms', '0755', '--dir', at];
}

function boundDirectories(mounts: readonly BoundDirectory[]): readonly Option[] {
  const outerFirst = mounts.toSorted((left, right) => left.at.length - right.at.length);
  const parents = new Set(outerFirst.flatMap(({ at }) => parentsOf(at)));
  const missing = [...parents].filter((parent) => !mounts.some((mount) => isWithin(parent, mount.at)));
  return [...missing.map(emptyDirectory), ...outerFirst.map(bind)];
}

function bind({ source, at, mode }: BoundDirectory): Option {
  const option = mode === 'ro' ? '--ro-bind' : '--bind';
  return 'fd' in source ? [`${option}-fd`, String(source.fd), at] : [option, source.path, at];
}

/** `/opt`, `/opt/a` of `/opt/a/b`. */
function parentsOf(at: string): readonly string[] {
  const parts = at.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

export function isWithin(child: string, parent: string): boolean {
  return child === parent || child.startsWith(`${parent}/`);
}
