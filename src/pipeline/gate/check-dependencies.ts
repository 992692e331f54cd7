import { isPackageManifest, parseManifest, type Manifest } from './package-manifest.ts';
import type { GateCheck } from './evidence.ts';

const SECTIONS = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'bundledDependencies',
  'bundleDependencies',
  'overrides',
  'resolutions',
] as const;

/** Manifests of other languages, where any added line may add a dependency. */
const OTHER_MANIFEST =
  /(?:^|\/)(?:requirements[^/]*\.txt|Pipfile|Cargo\.toml|go\.mod|Gemfile|pom\.xml|build\.gradle(?:\.kts)?|composer\.json)$/;

/** Taking one away is dead code removed; adding one, or another version of one, brings in code that nobody has looked at. */
export const checkDependencies: GateCheck = ({ files, before, after }) =>
  files.flatMap(({ newPath: path, added }) => {
    if (path === null) return [];
    if (OTHER_MANIFEST.test(path) && added > 0) return [rejection(path, 'lines')];
    if (!isPackageManifest(path)) return [];
    const [old, changed] = [parseManifest(before.get(path)), parseManifest(after.get(path))];
    if (old === null || changed === null) return [rejection(path, 'text that is not JSON')];
    return SECTIONS.flatMap((section) => newEntries(old, changed, section)).map((name) => rejection(path, name));
  });

function rejection(path: string, what: string) {
  return { path, message: `The patch adds ${what.slice(0, 100)} to the dependencies. Use what is already there.` };
}

function newEntries(old: Manifest, changed: Manifest, section: string): readonly string[] {
  const known = new Set(entries(old[section]));
  return entries(changed[section]).filter((entry) => !known.has(entry));
}

function entries(section: unknown): readonly string[] {
  if (typeof section !== 'object' || section === null) return [];
  return Object.entries(section).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
}
