import { MECHANICAL_OPERATIONS } from '../domain/plan.ts';
import type { OptionSource, RunOptions } from '../domain/options.ts';
import type { RepoConfig } from './repo-config.ts';

/** Upper bounds that no repository and no request gets past; null where the operator sets none. */
export interface OptionCaps {
  readonly maxBatches: number | null;
  readonly runMinutes: number | null;
  readonly checkMinutes: number | null;
}

/** What each side asks for, in the words of the configuration file. */
export interface OptionLayers {
  readonly operator: RepoConfig;
  readonly repository: RepoConfig;
  readonly request: RepoConfig;
}

/** A value and who decided it. `capped` is true when the operator's cap lowered it. */
export interface ResolvedOption {
  /** Key of the configuration file: `limits.run_minutes`. */
  readonly key: string;
  readonly value: string | number | boolean | readonly string[] | null;
  readonly source: OptionSource;
  readonly capped: boolean;
}

export interface ResolvedOptions {
  readonly options: RunOptions;
  /** Every option in the order of the configuration file, for `/refactor config` and the ledger. */
  readonly resolved: readonly ResolvedOption[];
}

type Limits = NonNullable<RepoConfig['limits']>;
type Complete<Layer> = { readonly [Key in keyof Layer]-?: NonNullable<Layer[Key]> };
type Detected = 'install' | 'fast_verifier' | 'full_verifier';
/** Every key has a default; commands have none because they are detected. */
type Defaults = Omit<Complete<RepoConfig>, Detected | 'limits'> & Readonly<Record<Detected, null>>;

const DEFAULTS: Defaults = {
  label: 'refactor',
  approval: 'auto',
  baseline: 'strict',
  on_batch_failure: 'skip',
  install: null,
  fast_verifier: null,
  full_verifier: null,
  run_full_verifier_every: 5,
  retry_per_batch: 2,
  max_batches: 200,
  diff_budget_loc: 900,
  scope_includes: [],
  scope_excludes: [],
  protected_paths: [],
  allow_public_api_changes: false,
  allow_without_tests: false,
  operations: [...MECHANICAL_OPERATIONS],
  agent: 'auto',
};

const LIMIT_DEFAULTS: Complete<Limits> = {
  file_lines: 400,
  function_lines: 50,
  class_methods: 15,
  run_minutes: 240,
  check_minutes: 15,
};

export const DEFAULT_LABEL = DEFAULTS.label;

/** From weakest to strongest: a later side that says something decides. */
const SIDES = ['operator', 'repository', 'request'] as const;

/** What a run goes by: defaults, then operator, then repository, then request, clamped by the operator's caps. Pure. */
export function resolveOptions(layers: OptionLayers, caps: OptionCaps): ResolvedOptions {
  const resolved: ResolvedOption[] = [];

  function decide<Value extends ResolvedOption['value']>(
    key: string,
    fallback: Value,
    { pick, cap = null }: { pick: (layer: RepoConfig) => Value | undefined; cap?: number | null },
  ): Value {
    const side = SIDES.findLast((name) => pick(layers[name]) !== undefined);
    const wanted = side === undefined ? fallback : (pick(layers[side]) ?? fallback);
    const capped = cap !== null && typeof wanted === 'number' && wanted > cap;
    // A capped value is a number like the one that was asked for.
    const value = capped ? (cap as Value) : wanted;
    resolved.push({ key, value, source: side ?? 'default', capped });
    return value;
  }

  const option = <Key extends keyof Defaults>(key: Key, cap: number | null = null) =>
    decide<Defaults[Key] | NonNullable<RepoConfig[Key]>>(key, DEFAULTS[key], {
      pick: (layer) => layer[key] ?? undefined,
      cap,
    });
  const limit = (key: keyof Limits, cap: number | null = null) =>
    decide<number>(`limits.${key}`, LIMIT_DEFAULTS[key], { pick: (layer) => layer.limits?.[key], cap });
  const minutes = (key: 'run_minutes' | 'check_minutes', cap: number | null) => limit(key, cap) * 60_000;

  const options: RunOptions = {
    label: option('label'),
    approval: option('approval'),
    baseline: option('baseline'),
    onBatchFailure: option('on_batch_failure'),
    install: option('install'),
    fastVerifier: option('fast_verifier'),
    fullVerifier: option('full_verifier'),
    runFullVerifierEvery: option('run_full_verifier_every'),
    retryPerBatch: option('retry_per_batch'),
    maxBatches: option('max_batches', caps.maxBatches),
    diffBudgetLines: option('diff_budget_loc'),
    scopeIncludes: option('scope_includes'),
    scopeExcludes: option('scope_excludes'),
    protectedPaths: option('protected_paths'),
    allowPublicApiChanges: option('allow_public_api_changes'),
    allowWithoutTests: option('allow_without_tests'),
    operations: option('operations'),
    agent: option('agent'),
    limits: {
      fileLines: limit('file_lines'),
      functionLines: limit('function_lines'),
      classMethods: limit('class_methods'),
      runMs: minutes('run_minutes', caps.runMinutes),
      checkMs: minutes('check_minutes', caps.checkMinutes),
    },
  };
  return { options, resolved };
}
