/**
 * Makes `github-openapi.json` and `github-webhooks.json` from GitHub's own descriptions.
 *
 * The packages are 385 MB unpacked, so they are no dependency. In an empty folder:
 *
 *     npm pack @octokit/openapi @octokit/openapi-webhooks     # then unpack both
 *     node test/support/prune-openapi.ts <folder of @octokit/openapi> <folder of @octokit/openapi-webhooks>
 *
 * What is written is no longer OpenAPI but plain JSON Schema, one schema a line, so that Ajv can read it without
 * further work and a newer description shows as a readable diff.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Description, Operation, Schema } from './github-description.ts';
import { keptOperations, keptWebhooks } from './kept-operations.ts';
import { lowerSchema } from './lower-schema.ts';

interface OpenApiParameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}
interface OpenApiMedia {
  content?: Record<string, { schema?: Schema }>;
}
interface OpenApiOperation {
  operationId: string;
  parameters?: (OpenApiParameter | { $ref: string })[];
  requestBody?: OpenApiMedia & { required?: boolean };
  responses: Record<string, OpenApiMedia | { $ref: string }>;
}
interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, { post: OpenApiOperation }>;
  components: Record<'schemas' | 'parameters' | 'responses', Record<string, Schema>>;
}

const descriptionFile = 'generated/api.github.com.json';

function pruneOperations(source: OpenApi, origin: Description['source']): Description {
  const schemas: Description['schemas'] = {};
  const operations: Description['operations'] = {};
  for (const kept of keptOperations) {
    const [method = '', route = ''] = kept.split(' ');
    const operation = source.paths[route]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${kept} is not in the description: renamed or removed by GitHub`);
    operations[kept] = pruneOperation(source, operation, schemas);
  }
  return { source: origin, operations, schemas: withReferenced(schemas, source.components.schemas) };
}

function pruneOperation(source: OpenApi, operation: OpenApiOperation, schemas: Description['schemas']): Operation {
  const id = operation.operationId.replaceAll('/', '.');
  const parameters = (operation.parameters ?? []).map((entry) => resolve<OpenApiParameter>(source, entry));
  const query = parameters.filter((parameter) => parameter.in === 'query');
  schemas[`${id}.query`] = lowerSchema({
    type: 'object',
    properties: Object.fromEntries(query.map((parameter) => [parameter.name, parameter.schema])),
    required: query.filter((parameter) => parameter.required).map((parameter) => parameter.name),
    additionalProperties: false,
  });

  const body = jsonSchema(operation.requestBody);
  if (body) schemas[`${id}.request`] = lowerSchema(body);

  const statuses: Operation['statuses'] = {};
  for (const [status, entry] of Object.entries(operation.responses)) {
    const schema = jsonSchema(resolve<OpenApiMedia>(source, entry));
    statuses[status] = schema ? 'json' : 'no-json';
    if (schema) schemas[`${id}.${status}`] = lowerSchema(schema);
  }
  return { id, body: body ? (operation.requestBody?.required ? 'required' : 'optional') : 'none', statuses };
}

function pruneWebhooks(source: OpenApi, origin: Description['source']): Description {
  const schemas: Description['schemas'] = {};
  const operations: Description['operations'] = {};
  for (const kept of keptWebhooks) {
    const webhook = source.webhooks[kept];
    const body = jsonSchema(webhook?.post.requestBody);
    if (!body) throw new Error(`webhook ${kept} is not in the description: renamed or removed by GitHub`);
    operations[kept] = { id: kept, body: 'required', statuses: {} };
    schemas[`${kept}.request`] = lowerSchema(body);
  }
  return { source: origin, operations, schemas: withReferenced(schemas, source.components.schemas) };
}

/** Adds every schema that the given ones reach, by walking their references until none is new. */
function withReferenced(schemas: Description['schemas'], available: Record<string, Schema>): Description['schemas'] {
  const result = { ...schemas };
  const pending = Object.values(schemas);
  for (let schema = pending.pop(); schema; schema = pending.pop()) {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"#\/schemas\/([^"]+)"/gu)) {
      if (result[name]) continue;
      const referenced = available[name];
      if (!referenced) throw new Error(`the description refers to a schema it lacks: ${name}`);
      result[name] = lowerSchema(referenced);
      pending.push(result[name]);
    }
  }
  return Object.fromEntries(Object.entries(result).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function jsonSchema(media: OpenApiMedia | undefined): Schema | undefined {
  return media?.content?.['application/json']?.schema;
}

function resolve<T>(source: OpenApi, entry: T | { $ref: string }): T {
  const reference = (entry as { $ref?: string }).$ref;
  if (!reference) return entry as T;
  const [, , kind = '', name = ''] = reference.split('/');
  return source.components[kind as 'parameters' | 'responses'][name] as T;
}

function readPackage(folder: string): { description: OpenApi; origin: Description['source'] } {
  const { name, version } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as Description['source'];
  const description = JSON.parse(readFileSync(path.join(folder, descriptionFile), 'utf8')) as OpenApi;
  return { description, origin: { name, version, file: descriptionFile } };
}

function write(name: string, { source, operations, schemas }: Description): void {
  const lines = (entries: object) =>
    Object.entries(entries)
      .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
  writeFileSync(
    new URL(name, import.meta.url),
    `{\n  "source": ${JSON.stringify(source)},\n  "operations": {\n${lines(operations)}\n  },\n  "schemas": {\n${lines(schemas)}\n  }\n}\n`,
  );
}

const [openapiFolder, webhooksFolder] = process.argv.slice(2);
if (!openapiFolder || !webhooksFolder) {
  throw new Error('usage: prune-openapi.ts <folder of @octokit/openapi> <folder of @octokit/openapi-webhooks>');
}
const api = readPackage(openapiFolder);
write('github-openapi.json', pruneOperations(api.description, api.origin));
const hooks = readPackage(webhooksFolder);
write('github-webhooks.json', pruneWebhooks(hooks.description, hooks.origin));
