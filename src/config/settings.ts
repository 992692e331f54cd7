import { createPrivateKey } from 'node:crypto';
import { join, resolve } from 'node:path';

import { BotError } from '../domain/errors.ts';
import type { OptionCaps } from './resolve-options.ts';
import type { RepoConfig } from './repo-config.ts';

/** What the operator of an installation decides, as `docs/operating.md` lists it. The demo makes one by hand. */
export interface Settings {
  readonly app: {
    readonly id: number;
    /** PEM, PKCS#1 or PKCS#8. */
    readonly privateKey: string;
    readonly webhookSecret: string;
  };
  /** Host (with port) that clone URLs must have, and the one transport git may use. */
  readonly gitHost: { readonly host: string; readonly protocol: 'https' | 'http' };
  /** Root of the REST interface; null for api.github.com. */
  readonly apiUrl: string | null;
  readonly listen: { readonly host: string; readonly port: number };
  readonly logLevel: LogLevel;
  /** PostgreSQL connection string, which may hold a password; null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Absolute. */
  readonly dataDir: string;
  readonly sandbox: {
    readonly driver: 'bubblewrap' | 'none';
    readonly user: { readonly uid: number; readonly gid: number } | null;
  };
  /** Null: the one that npm is configured for. */
  readonly registryUrl: string | null;
  /** Other hosts (with port, if not 443) that lock files name and installation may reach. */
  readonly registryHosts: readonly string[];
  /** Options the operator sets for every repository that does not set them itself. */
  readonly operatorOptions: RepoConfig;
  readonly caps: OptionCaps;
  /** How many runs are worked on at a time by this process. */
  readonly workers: number;
  /** Path of a PEM file with certificates to trust beside the system's; null when there is none. */
  readonly extraCaCertificates: string | null;
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

/** What settings are read from. `readText` throws where it cannot; paths are resolved against `workingDir`. */
export interface SettingsSource {
  readonly env: Environment;
  readonly workingDir: string;
  readonly readText: (path: string) => string;
}

/** Throws `settings-invalid` that names every variable that is wrong, what was wrong, and what to set; never a value that may be secret. */
export function parseSettings(source: SettingsSource): Settings {
  const problems: string[] = [];
  const read = createReader(source.env, problems);
  const gitHost = readGitHost(read);
  const settings: Settings = {
    app: {
      id: read.integer('APP_ID', { min: 1, hint: 'the number on the page of your GitHub App' }),
      privateKey: readPrivateKey(source, read),
      webhookSecret: readWebhookSecret(read),
    },
    gitHost,
    apiUrl: gitHost.host === 'github.com' ? null : `${gitHost.protocol}://${gitHost.host}/api/v3`,
    listen: {
      host: read.optional('HOST') ?? '0.0.0.0',
      port: read.integer('PORT', { min: 0, max: 65_535, fallback: 3000 }),
    },
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    databaseUrl: readDatabaseUrl(read),
    dataDir: resolve(source.workingDir, read.optional('REFACTOR_BOT_DATA_DIR') ?? defaultDataDir(source.env)),
    sandbox: { driver: readSandboxDriver(read), user: readSandboxUser(read) },
    registryUrl: readRegistryUrl(read),
    registryHosts: readRegistryHosts(read),
    operatorOptions: readOperatorOptions(read),
    caps: readCaps(read),
    workers: read.integer('REFACTOR_BOT_WORKERS', { min: 1, max: 32, fallback: 2 }),
    extraCaCertificates: read.optional('NODE_EXTRA_CA_CERTS'),
  };
  if (problems.length > 0) throw settingsInvalid(problems);
  return settings;
}

type Reader = ReturnType<typeof createReader>;

interface IntegerRule {
  readonly min: number;
  readonly max?: number;
  /** Missing: the variable must be set, and `hint` says with what. */
  readonly fallback?: number;
  readonly hint?: string;
}

/** Reads one variable at a time and collects what is wrong, so that a person mends everything in one go. An empty variable counts as unset. */
function createReader(env: Environment, problems: string[]) {
  const optional = (name: string): string | null => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const problem = (name: string, what: string) => void problems.push(`${name} ${what}`);
  return {
    optional,
    problem,
    integer(name: string, rule: IntegerRule): number {
      const { min, max = Number.MAX_SAFE_INTEGER } = rule;
      const text = optional(name);
      if (text === null) {
        if (rule.fallback === undefined) problem(name, `is not set; set it to ${rule.hint ?? 'a whole number'}.`);
        return rule.fallback ?? min;
      }
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      const allowed = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
      problem(name, `is ${quoted(text)}; set it to a whole number ${allowed}.`);
      return min;
    },
    choice<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
      const text = optional(name);
      const chosen = values.find((value) => value === text);
      if (text !== null && chosen === undefined)
        problem(name, `is ${quoted(text)}; set it to one of: ${values.join(', ')}.`);
      return chosen ?? fallback;
    },
  };
}

function readGitHost(read: Reader): Settings['gitHost'] {
  const protocol = read.choice('GHE_PROTOCOL', ['https', 'http'], 'https');
  const host = read.optional('GHE_HOST');
  if (host === null) return { host: 'github.com', protocol: 'https' };
  const url = URL.canParse(`${protocol}://${host}`) ? new URL(`${protocol}://${host}`) : null;
  if (url?.host !== host.toLowerCase()) {
    read.problem(
      'GHE_HOST',
      `is ${quoted(host)}; set it to the host alone, with a port that is not the usual one, such as github.example.com.`,
    );
  }
  return { host: host.toLowerCase(), protocol };
}

function readPrivateKey({ workingDir, readText }: SettingsSource, read: Reader): string {
  const path = read.optional('PRIVATE_KEY_PATH');
  const given = read.optional('PRIVATE_KEY');
  if (given !== null) return toPem(given, (what) => read.problem('PRIVATE_KEY', what));
  if (path === null) {
    read.problem(
      'PRIVATE_KEY',
      'is not set; set it to the private key of your GitHub App (PEM), or PRIVATE_KEY_PATH to its file.',
    );
    return '';
  }
  try {
    return toPem(readText(resolve(workingDir, path)), (what) => read.problem('PRIVATE_KEY_PATH', what));
  } catch {
    read.problem(
      'PRIVATE_KEY_PATH',
      `is ${quoted(path)}, which cannot be read; set it to the PEM file of your GitHub App.`,
    );
    return '';
  }
}

/** Accepts what operators paste: PEM, PEM with `\n` for its line breaks, or PEM in base64. */
function toPem(given: string, problem: (what: string) => void): string {
  const text = given.includes('-----BEGIN') ? given : Buffer.from(given, 'base64').toString('utf8');
  const pem = text.replaceAll('\\n', '\n').trim();
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem;
  } catch {
    // Not parsable: the same answer. The parser's own words may quote the key.
  }
  problem('does not hold an RSA private key in PEM form; download a new one on the page of your GitHub App.');
  return '';
}

function readWebhookSecret(read: Reader): string {
  const secret = read.optional('WEBHOOK_SECRET');
  // Probot falls back to the word "development", with which anybody could sign deliveries.
  if (secret === null || secret === 'development') {
    const what = secret === null ? 'is not set' : 'is the word "development", which everybody knows';
    read.problem(
      'WEBHOOK_SECRET',
      `${what}; set it to a long random string and enter the same one on the page of your GitHub App.`,
    );
  }
  return secret ?? '';
}

function readDatabaseUrl(read: Reader): string | null {
  const url = read.optional('DATABASE_URL');
  if (url !== null && !/^postgres(?:ql)?:\/\/./.test(url)) {
    read.problem(
      'DATABASE_URL',
      'is not a PostgreSQL connection string; set it to postgres://user:password@host/database, or leave it unset for the embedded database.',
    );
  }
  return url;
}

function readSandboxDriver(read: Reader): 'bubblewrap' | 'none' {
  const driver = read.choice('REFACTOR_BOT_SANDBOX', ['bubblewrap', 'none'], 'bubblewrap');
  if (driver === 'none' && read.optional('REFACTOR_BOT_ALLOW_UNSANDBOXED') !== 'true') {
    read.problem(
      'REFACTOR_BOT_SANDBOX',
      'is "none", which runs the code of repositories with all your rights; remove it, or set REFACTOR_BOT_ALLOW_UNSANDBOXED=true as well if every repository is your own.',
    );
  }
  return driver;
}

function readSandboxUser(read: Reader): Settings['sandbox']['user'] {
  const names = ['REFACTOR_BOT_SANDBOX_UID', 'REFACTOR_BOT_SANDBOX_GID'] as const;
  const missing = names.filter((name) => read.optional(name) === null);
  if (missing.length === names.length) return null;
  for (const name of missing) read.problem(name, `is not set; ${names.join(' and ')} go together.`);
  // 0 is root: the one user that the sandbox must never be.
  const [uid, gid] = names.map((name) => read.integer(name, { min: 1, max: 4_294_967_294, fallback: 1 }));
  return { uid: uid ?? 1, gid: gid ?? 1 };
}

function readRegistryUrl(read: Reader): string | null {
  const name = read.optional('REFACTOR_BOT_REGISTRY') === null ? 'npm_config_registry' : 'REFACTOR_BOT_REGISTRY';
  const text = read.optional(name);
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    read.problem(
      name,
      'is not the address of a package registry; set it to an http or https URL without user name and password.',
    );
    return text;
  }
  return url.href;
}

function readRegistryHosts(read: Reader): readonly string[] {
  const hosts = (read.optional('REFACTOR_BOT_REGISTRY_HOSTS') ?? '').split(',').map((host) => host.trim());
  const named = hosts.filter((host) => host !== '');
  const wrong = named.filter((host) => !/^[a-z0-9.-]+(:\d{1,5})?$/i.test(host));
  if (wrong.length > 0) {
    read.problem(
      'REFACTOR_BOT_REGISTRY_HOSTS',
      `names ${quoted(wrong.join(', '))}; set it to host names, separated by commas.`,
    );
  }
  return named;
}

function readOperatorOptions(read: Reader): RepoConfig {
  if (read.optional('REFACTOR_BOT_AGENT') === null) return {};
  const agent = read.choice('REFACTOR_BOT_AGENT', ['auto', 'mechanical', 'replay'], 'auto');
  return { agent };
}

function readCaps(read: Reader): OptionCaps {
  const cap = (name: string, max: number) =>
    read.optional(name) === null ? null : read.integer(name, { min: 1, max });
  return {
    maxBatches: cap('REFACTOR_BOT_MAX_BATCHES', 200),
    runMinutes: cap('REFACTOR_BOT_MAX_RUN_MINUTES', 1440),
    checkMinutes: cap('REFACTOR_BOT_MAX_CHECK_MINUTES', 120),
  };
}

function defaultDataDir(env: Environment): string {
  return env['HOME'] === undefined || env['HOME'] === '' ? '.refactor-bot' : join(env['HOME'], '.refactor-bot');
}

/** A value that is no secret, short enough for one line. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

function settingsInvalid(problems: readonly string[]): BotError {
  const list = problems.map((problem) => `  - ${problem}`).join('\n');
  const count = problems.length === 1 ? 'One setting is' : `${problems.length} settings are`;
  return new BotError('settings-invalid', `${count} missing or wrong:\n${list}`, { details: { problems } });
}
