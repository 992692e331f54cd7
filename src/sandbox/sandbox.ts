import type { TrustedPath } from '../domain/workspace.ts';

/** One directory of the host as the sandbox sees it. `at` is absolute inside; `host` must be the bot's own (`TrustedPath`). */
export interface Mount {
  readonly host: TrustedPath;
  readonly at: string;
  readonly mode: 'ro' | 'rw';
}

/** A host that may be reached through the run's own CONNECT proxy. `host` is exact; private addresses only where said. */
export interface EgressRule {
  readonly host: string;
  readonly port: number;
  /** The operator's own registry may lie on a private network; a repository can never set this. */
  readonly allowPrivateAddress?: boolean;
}

export interface SandboxLimits {
  readonly wallMs: number;
  /** Killed when it prints nothing for so long. */
  readonly silenceMs: number;
  readonly memoryBytes: number;
  readonly processes: number;
  /** Size of one file it may write. */
  readonly fileBytes: number;
  /** Size of `/tmp` and of the home directory, each. */
  readonly tmpBytes: number;
  /** How much the mounted `rw` directories may grow together. */
  readonly diskBytes: number;
  /** Output kept per stream: the first quarter and the last three quarters; the rest is counted and dropped. */
  readonly outputBytes: number;
}

/** One command in the sandbox. There is no way to pass a secret: the environment is complete and nothing is inherited. */
export interface SandboxSpec {
  /** Inside paths; no shell unless `argv[0]` is one. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  readonly network: { readonly mode: 'none' } | { readonly mode: 'allow'; readonly rules: readonly EgressRule[] };
  readonly limits: SandboxLimits;
}

export interface SandboxResult {
  readonly outcome:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'signalled'; readonly signal: string }
    | { readonly kind: 'timed-out' | 'silent' | 'out-of-memory' | 'out-of-disk'; readonly detail: string }
    /** The command never ran. */
    | { readonly kind: 'setup-failed'; readonly detail: string };
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams in the order they came, capped like each: what a person reads. */
  readonly output: string;
  readonly droppedBytes: number;
  readonly durationMs: number;
  /** `host:port` that the proxy refused. */
  readonly deniedHosts: readonly string[];
}

export type SandboxLevel = 'full' | 'weaker' | 'none';

/** What the driver can hold on this machine, found by trying (canaries), not by looking for binaries. */
export interface SandboxProbe {
  readonly driver: Sandbox['name'];
  readonly level: SandboxLevel;
  /** What is missing, each with the line that mends it. */
  readonly missing: readonly string[];
}

/**
 * Runs what a repository controls. The whole process tree is dead when `run` settles. Aborting `signal` kills it and rejects with
 * an AbortError. A command that fails is a result; only a broken driver throws (`sandbox-too-weak`, `binary-missing`).
 */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'unsandboxed';
  probe(): Promise<SandboxProbe>;
  run(spec: SandboxSpec, signal: AbortSignal): Promise<SandboxResult>;
}
