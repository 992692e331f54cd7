/**
 * The import directions of ARCHITECTURE.md, types included. `imports.test.ts` runs them and asserts that every
 * file was read, so that a silent pass is impossible.
 */
const STAGES = ['checkout', 'verification', 'indexing', 'planning', 'proposal', 'gate', 'checkpoint', 'delivery'];
/** Files of an adapter's folder that are its face: types, and what is as safe as types. */
const PORT_FILES = [
  '^src/agents/agent\\.ts$',
  '^src/operations/operations\\.ts$',
  '^src/sandbox/(sandbox|workspaces)\\.ts$',
  '^src/code-host/(repository|conversation|pull-requests|checks|delivery-log)\\.ts$',
  '^src/database/run-store\\.ts$',
  '^src/engine/durable-step\\.ts$',
  '^src/git/git-repository\\.ts$',
];
const DOMAIN = '^src/domain/';
const TELEMETRY = '^src/telemetry/';

/** `from` may import only `to` inside src. */
function only(name: string, from: string, to: readonly string[]) {
  return {
    name,
    severity: 'error',
    from: { path: from },
    to: { path: '^src/', pathNot: to },
  };
}

const adapters = ['agents', 'operations', 'code-host', 'sandbox', 'git', 'database'];

export const IMPORT_RULES = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^@octokit/openapi-types$' },
    },
    only('domain-is-the-bottom', DOMAIN, [DOMAIN]),
    only('config', '^src/config/', ['^src/config/', DOMAIN, ...PORT_FILES]),
    only('telemetry', TELEMETRY, [TELEMETRY, DOMAIN]),
    ...adapters.map((folder) =>
      only(`adapter-${folder}`, `^src/${folder}/`, [`^src/${folder}/`, DOMAIN, TELEMETRY, ...PORT_FILES]),
    ),
    only('engine', '^src/engine/', ['^src/engine/', '^src/database/', DOMAIN, TELEMETRY]),
    only('runs', '^src/runs/', ['^src/runs/', '^src/database/', '^src/config/', DOMAIN]),
    only('webhooks', '^src/webhooks/', [
      '^src/webhooks/',
      '^src/runs/',
      '^src/config/',
      DOMAIN,
      TELEMETRY,
      ...PORT_FILES,
    ]),
    only('web', '^src/web/', ['^src/web/', '^src/runs/', '^src/config/', DOMAIN, TELEMETRY, ...PORT_FILES]),
    only('app', '^src/app\\.ts$', ['^src/webhooks/', '^src/config/', DOMAIN, TELEMETRY, ...PORT_FILES]),
    ...STAGES.map((stage) =>
      only(`stage-${stage}`, `^src/pipeline/${stage}/`, [
        `^src/pipeline/${stage}/`,
        '^src/pipeline/ports\\.ts$',
        '^src/git/',
        DOMAIN,
        TELEMETRY,
        ...PORT_FILES,
      ]),
    ),
    only('flows', '^src/pipeline/[^/]+\\.ts$', ['^src/pipeline/', DOMAIN, TELEMETRY, ...PORT_FILES]),
    only('local-github-stands-alone', '^src/local-github/', ['^src/local-github/']),
    {
      name: 'only-the-demo-uses-the-embedded-github',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/local-github/', '^src/cli/demo/'] },
      to: { path: '^src/local-github/' },
    },
    {
      name: 'only-compose-picks-adapters',
      severity: 'error',
      from: { path: '^src/(cli|main|web|webhooks|runs|pipeline)', pathNot: ['^src/cli/demo/'] },
      to: {
        path: adapters.map((folder) => `^src/${folder}/`),
        pathNot: [...PORT_FILES, '^src/git/', '^src/database/'],
      },
    },
    {
      name: 'only-git-and-the-embedded-github-spawn-git',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/git/'] },
      to: { path: 'simple-git' },
    },
    {
      name: 'src-does-not-import-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^src/cli/demo/sample/', 'node_modules/.*/node_modules'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
