import { parseDocument } from 'yaml';
import type { z } from 'zod';

import { nearestWord } from '../domain/nearest-word.ts';
import { repoConfigSchema, type RepoConfig } from './repo-config.ts';

/** One thing to mend: where, what stands there, what may stand there. Texts from the file are not made safe for Markdown here. */
export interface ConfigProblem {
  /** `limits.file_lines`, `operations[1]`; empty for the whole file. */
  readonly path: string;
  readonly given: string;
  readonly allowed: string;
}

export type ParsedConfig =
  | { readonly ok: true; readonly config: RepoConfig }
  | {
      readonly ok: false;
      readonly problems: readonly ConfigProblem[];
      /** The label as far as it could be read, so that whoever used it can be answered. */
      readonly label: string | null;
    };

/** Far more than any honest file, little enough to parse at once. */
const MAX_CHARACTERS = 64 * 1024;
/** How often one anchor may be expanded; without a bound a few lines of YAML become gigabytes. */
const MAX_ALIASES = 50;

/** Reads the text of a configuration file and reports every problem at once. Pure; never throws. */
export function parseRepoConfig(text: string, format: 'yaml' | 'json'): ParsedConfig {
  if (text.length > MAX_CHARACTERS)
    return invalid({
      path: '',
      given: `${text.length} characters`,
      allowed: `at most ${MAX_CHARACTERS} characters`,
    });
  const read = format === 'yaml' ? readYaml(text) : readJson(text);
  if ('problem' in read) return invalid({ path: '', given: read.problem, allowed: `valid ${format.toUpperCase()}` });
  // An empty file says nothing, and so keeps every default.
  const value = read.value ?? {};
  const parsed = repoConfigSchema.safeParse(value);
  if (parsed.success) return { ok: true, config: parsed.data };
  const label = repoConfigSchema.shape.label.safeParse(valueAt(value, ['label']));
  return {
    ok: false,
    problems: parsed.error.issues.flatMap((issue) => toProblems(issue, value)),
    label: label.data ?? null,
  };
}

function invalid(problem: ConfigProblem): ParsedConfig {
  return { ok: false, problems: [problem], label: null };
}

type Read = { readonly value: unknown } | { readonly problem: string };

function readYaml(text: string): Read {
  try {
    const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, prettyErrors: true });
    // A warning is a tag that the core schema does not know.
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined) return { problem: firstLine(fault.message) };
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    return { problem: describe(error) };
  }
}

function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: describe(error) };
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? firstLine(error.message) : 'not readable';
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 200);
}

function toProblems(issue: z.core.$ZodIssue, root: unknown): ConfigProblem[] {
  const container = valueAt(root, issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, key]),
      given: shown(valueAt(container, [key])),
      allowed: allowedInstead(key, issue.path),
    }));
  }
  return [{ path: pathText(issue.path), given: shown(container), allowed: allowedFor(issue) }];
}

function allowedInstead(key: string, path: readonly PropertyKey[]): string {
  const known = knownKeys(path);
  const nearest = nearestWord(key, known);
  return nearest === null ? `no such key; the keys are ${known.join(', ')}` : `no such key; did you mean ${nearest}?`;
}

function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  return path[0] === 'limits'
    ? Object.keys(repoConfigSchema.shape.limits.unwrap().shape)
    : Object.keys(repoConfigSchema.shape);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  string: 'text',
};

function allowedFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_WORDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `at most ${issue.maximum}${unitOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return value;
}

function shown(value: unknown): string {
  const text = toJson(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    // An alias can make a list or a mapping of YAML a member of itself.
    return 'a value that contains itself';
  }
}
