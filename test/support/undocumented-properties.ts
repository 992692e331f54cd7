import type { Description, Schema } from './github-description.ts';

/**
 * Paths of object properties that no variant of the schema names.
 *
 * OpenAPI allows extra properties, so a schema check alone lets a misspelt field pass. A property counts as
 * documented if any branch of an `allOf`, `anyOf` or `oneOf` knows it: which branch applies is the schema check's job.
 */
export function undocumentedProperties(schemas: Description['schemas'], name: string, value: unknown): string[] {
  return visit(schemas, variants(schemas, [{ $ref: `#/schemas/${name}` }]), { value, at: '' });
}

function visit(
  schemas: Description['schemas'],
  flat: Schema[],
  { value, at }: { value: unknown; at: string },
): string[] {
  if (Array.isArray(value)) {
    const items = flat.flatMap((schema) => (isSchema(schema['items']) ? [schema['items']] : []));
    const itemVariants = variants(schemas, items);
    return value.flatMap((item, index) => visit(schemas, itemVariants, { value: item, at: `${at}/${index}` }));
  }
  if (typeof value !== 'object' || value === null) return [];

  const known = flat.map((schema) => (schema['properties'] ?? {}) as Record<string, Schema>);
  const freeForm = known.every((properties) => Object.keys(properties).length === 0);
  if (freeForm || flat.some((schema) => isSchema(schema['additionalProperties']))) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const documented = known.flatMap((properties) => (Object.hasOwn(properties, key) ? [properties[key] ?? {}] : []));
    if (documented.length === 0) return [`${at}/${key}`];
    return visit(schemas, variants(schemas, documented), { value: item, at: `${at}/${key}` });
  });
}

/** The schemas with references resolved and combinators flattened. */
function variants(schemas: Description['schemas'], from: Schema[]): Schema[] {
  return from.flatMap((schema) => {
    const reference = schema['$ref'];
    const target = typeof reference === 'string' ? schemas[reference.replace('#/schemas/', '')] : undefined;
    const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as Schema[]);
    return [schema, ...variants(schemas, [...(target ? [target] : []), ...branches])];
  });
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
