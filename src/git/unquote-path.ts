const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/** The text between git's double quotes (C style, octal for bytes), or null when it is not well formed. */
export function unquotePath(quoted: string): string | null {
  const inner = /^"((?:[^"\\]|\\.)*)"$/su.exec(quoted)?.[1];
  if (inner === undefined) return null;
  const bytes: Buffer[] = [];
  for (const [piece, octal, escape] of inner.matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+/gsu)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    else if (escape === undefined) bytes.push(Buffer.from(piece));
    else {
      const byte = ESCAPES[escape];
      if (byte === undefined) return null;
      bytes.push(Buffer.from([byte]));
    }
  }
  return Buffer.concat(bytes).toString('utf8');
}
