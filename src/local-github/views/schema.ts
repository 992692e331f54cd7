import type { components } from '@octokit/openapi-types';

/** A shape of GitHub's own description, so that the compiler finds what a view leaves out. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** GitHub writes times in whole seconds. */
export function timestamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64url');
}
