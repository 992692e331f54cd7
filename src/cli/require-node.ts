const OLDEST = 24;

/** A clear word in place of a syntax error of some package. Exits with 2. */
export function requireNode(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= OLDEST) return;
  process.stderr.write(
    `refactor-bot needs Node ${OLDEST} or newer; this is ${process.version}. In a checkout "npm run" brings the right one: npm ci && npm run demo\n`,
  );
  process.exit(2);
}
