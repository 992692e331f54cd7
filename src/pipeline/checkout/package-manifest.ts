import { z } from 'zod';

/** What is read of a `package.json`; all of it written by strangers, so whatever has another shape counts as absent. */
export interface PackageManifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly packageManager: string | null;
  readonly devEnginesPackageManager: { readonly name: string; readonly version: string } | null;
  /** Names in dependencies and devDependencies. */
  readonly dependencies: ReadonlySet<string>;
  readonly enginesNode: string | null;
}

const anyRecord = z.record(z.string(), z.unknown()).catch({});
const manifestSchema = z.object({
  scripts: anyRecord,
  packageManager: z.string().max(200).nullable().catch(null),
  devEngines: z
    .object({ packageManager: z.object({ name: z.string().max(50), version: z.string().max(50) }) })
    .nullable()
    .catch(null),
  engines: z
    .object({ node: z.string().max(100) })
    .nullable()
    .catch(null),
  dependencies: anyRecord,
  devDependencies: anyRecord,
});

/** Null when the text is no JSON object. */
export function parsePackageManifest(text: string): PackageManifest | null {
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { scripts, packageManager, devEngines, engines, dependencies, devDependencies } = parsed.data;
  return {
    scripts: Object.fromEntries(Object.entries(scripts).filter((entry): entry is [string, string] => isText(entry[1]))),
    packageManager,
    devEnginesPackageManager: devEngines?.packageManager ?? null,
    dependencies: new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]),
    enginesNode: engines?.node ?? null,
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 10_000;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return null;
  }
}
