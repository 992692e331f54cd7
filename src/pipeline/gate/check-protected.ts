import { isDeepStrictEqual } from 'node:util';
import { isPackageManifest, parseManifest } from './package-manifest.ts';
import { matchGlobs } from './match-globs.ts';
import type { Evidence, GateCheck } from './evidence.ts';

/** Files that decide how a patch is judged, built or published: the judged does not write them. By what they decide. */
const PROTECTED: Readonly<Record<string, readonly string[]>> = {
  'a lock file': [
    '**/{package-lock,npm-shrinkwrap}.json',
    '**/{yarn,Cargo,poetry,Pipfile,Gemfile,composer,bun,deno,flake,uv,pdm}.lock',
    '**/pnpm-lock.yaml',
    '**/{bun.lockb,go.sum}',
  ],
  'the configuration of continuous integration': [
    '.github/{workflows,actions}/**',
    '.github/{dependabot,renovate}*',
    '.github/CODEOWNERS',
    'CODEOWNERS',
    'docs/CODEOWNERS',
    '{.circleci,.buildkite,.gitlab,.teamcity,.woodpecker}/**',
    '{.gitlab-ci,.travis,appveyor,.appveyor,azure-pipelines,bitbucket-pipelines,.drone,.cirrus,codecov,.codecov}.{yml,yaml}',
    'Jenkinsfile*',
  ],
  'the configuration of a check': [
    '**/{vitest,vite,jest,karma,playwright,cypress,ava,nyc,c8}.{config,workspace,setup}.*',
    '**/jest.{setup,preset}*',
    '**/.{mocharc,nycrc,c8rc,taprc}*',
    '**/.{eslintrc,prettierrc,oxlintrc,oxfmtrc,stylelintrc,swcrc,babelrc}*',
    '**/.{eslint,prettier}ignore',
    '**/{eslint,prettier,babel,tsup,rollup,webpack,ava,knip,lint-staged,stylelint}.config.*',
    '**/{tsconfig,jsconfig}*.json',
    '**/{biome,dprint,oxlint,nx,turbo,lerna,deno}.{json,jsonc}',
    '**/{pytest.ini,tox.ini,setup.cfg,pyproject.toml,ruff.toml,.ruff.toml,mypy.ini,.flake8,.pylintrc,conftest.py,noxfile.py}',
    '**/{Makefile,GNUmakefile,justfile,clippy.toml,rustfmt.toml,rust-toolchain*,.golangci.*,.rubocop.yml}',
    '{.husky,.git-hooks,.githooks}/**',
    '**/.{pre-commit-config,lefthook}.{yml,yaml}',
  ],
  'instructions for an agent': [
    '**/{CLAUDE,AGENTS,GEMINI,CLAUDE.local}.md',
    '**/.{claude,cursor,windsurf,codex,aider,gemini,continue}/**',
    '**/.{cursorrules,windsurfrules,clinerules,mcp.json}',
    '.github/copilot-instructions.md',
    '.github/{instructions,prompts,agents}/**',
  ],
  "the bot's own configuration": ['.github/refactor-bot.*', '.refactor-bot*', '.refactor-bot/**'],
  'what git or a package manager obeys': [
    '**/{.gitattributes,.gitmodules,.gitignore,.lfsconfig,.mailmap}',
    '**/.{npmrc,yarnrc,yarnrc.yml,pnpmfile.cjs,nvmrc,node-version,tool-versions}',
    '**/pnpm-workspace.yaml',
    '{.yarn,.cargo}/**',
  ],
};

/** Parts of a `package.json` that decide what checks do and what is published. Dependencies have a rule of their own. */
const PROTECTED_FIELDS = [
  'scripts',
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'nyc',
  'c8',
  'eslintConfig',
  'eslintIgnore',
  'prettier',
  'babel',
  'browserslist',
  'lint-staged',
  'husky',
  'pnpm',
  'packageManager',
  'engines',
  'workspaces',
  'bin',
  'files',
  'publishConfig',
] as const;

export const checkProtected: GateCheck = (evidence) => evidence.paths.flatMap((path) => checkPath(evidence, path));

function checkPath({ before, after, options }: Evidence, path: string) {
  const found = Object.entries(PROTECTED).find(([, globs]) => matchGlobs(globs, path, { ignoreCase: true }));
  if (found !== undefined) return [{ path, message: `This file is ${found[0]} and is protected. Leave it as it is.` }];
  if (matchGlobs(options.protectedPaths, path)) {
    return [{ path, message: "The repository's configuration protects this file. Leave it as it is." }];
  }
  if (!isPackageManifest(path)) return [];
  const [old, changed] = [parseManifest(before.get(path)), parseManifest(after.get(path))];
  return PROTECTED_FIELDS.filter((field) => !isDeepStrictEqual(old?.[field], changed?.[field])).map((field) => ({
    path,
    message: `"${field}" of a package.json is protected. Leave it as it is.`,
  }));
}
