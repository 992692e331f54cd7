/** Where an inside path lies on the host. */
export interface PathMapping {
  readonly inside: string;
  readonly host: string;
}

/** What may follow a path that is meant whole: its end, the next component, or something that cannot belong to a name. */
const END = String.raw`(?=$|[^\w.-])`;
/** What may stand before it; `file://` alone of all that ends in a slash. */
const START = String.raw`(?<![\w./-])|(?<=file:\/\/)`;

/** Replaces inside paths by host paths in an argument or a value, wherever they stand as whole paths (`--out=/work/dist`, `/a:/work/b`). */
export function toHostPaths(text: string, mappings: readonly PathMapping[]): string {
  if (mappings.length === 0) return text;
  const hostOf = new Map(mappings.map(({ inside, host }) => [inside, host]));
  // The longest first: of /opt/tools and /opt the nearer one is meant.
  const alternatives = [...hostOf.keys()].sort((left, right) => right.length - left.length).map(escapeForPattern);
  const pattern = new RegExp(`(?:${START})(?:${alternatives.join('|')})${END}`, 'g');
  return text.replaceAll(pattern, (inside) => hostOf.get(inside) ?? inside);
}

/** The other way round for what a command printed, so that output reads the same with every driver. */
export function toInsidePaths(text: string, mappings: readonly PathMapping[]): string {
  const longestFirst = mappings.toSorted((left, right) => right.host.length - left.host.length);
  return longestFirst.reduce((mapped, { inside, host }) => mapped.replaceAll(host, inside), text);
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
