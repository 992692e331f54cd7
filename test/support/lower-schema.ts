import type { Schema } from './github-description.ts';

/** Prose and hints that no check reads; they are two thirds of the description. */
const dropped = new Set([
  'description',
  'example',
  'examples',
  'title',
  'summary',
  'externalDocs',
  'default',
  'deprecated',
  'discriminator',
  'readOnly',
  'writeOnly',
  'xml',
  'nullable',
]);

/** Keys whose value maps names chosen by GitHub to schemas: a property called `description` must survive there. */
const maps = new Set(['properties', 'patternProperties', 'definitions', '$defs']);

/**
 * Turns an OpenAPI schema into plain JSON Schema: prose dropped, references shortened, and `nullable` spelt out.
 *
 * OpenAPI 3.0's `nullable` has no effect on an `enum` that lacks null, nor beside a bare `$ref`; GitHub's description
 * uses it in both places, and a check run's `conclusion: null` would be refused.
 */
export function lowerSchema(schema: Schema): Schema {
  const lowered: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (dropped.has(key) || key.startsWith('x-')) continue;
    lowered[key] = lowerKeyword(key, value);
  }
  return schema['nullable'] === true ? allowNull(lowered) : lowered;
}

function lowerKeyword(key: string, value: unknown): unknown {
  if (key === '$ref') return String(value).replace('#/components/schemas/', '#/schemas/');
  if (key === 'enum' || key === 'required' || key === 'type' || key === 'const') return value;
  if (maps.has(key)) {
    return Object.fromEntries(Object.entries(value as Record<string, Schema>).map(([k, v]) => [k, lowerValue(v)]));
  }
  return lowerValue(value);
}

function lowerValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerValue);
  return typeof value === 'object' && value !== null ? lowerSchema(value as Schema) : value;
}

function allowNull(schema: Schema): Schema {
  const { type } = schema;
  if (typeof type !== 'string') return { anyOf: [{ type: 'null' }, schema] };
  const values = schema['enum'];
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}
