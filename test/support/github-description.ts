/** JSON Schema as Ajv takes it; references are `#/schemas/<name>` within one description. */
export type Schema = Record<string, unknown>;

export interface Operation {
  /** The operation's schemas are `<id>.query`, `<id>.request` and `<id>.<status>`. */
  id: string;
  body: 'required' | 'optional' | 'none';
  statuses: Record<string, 'json' | 'no-json'>;
}

/** A pruned description of GitHub's REST operations (`GET /app`) or webhooks (`issues-labeled`). */
export interface Description {
  source: { name: string; version: string; file: string };
  operations: Record<string, Operation>;
  schemas: Record<string, Schema>;
}
