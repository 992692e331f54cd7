export type Manifest = Readonly<Record<string, unknown>>;

export function isPackageManifest(path: string): boolean {
  return path === 'package.json' || path.endsWith('/package.json');
}

/** An absent file is an empty manifest; null when the text is no JSON object. */
export function parseManifest(text: string | undefined): Manifest | null {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Manifest) : null;
  } catch {
    return null;
  }
}
