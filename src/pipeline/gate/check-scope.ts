import { matchGlobs } from './match-globs.ts';
import type { GateCheck } from './evidence.ts';

/** The batch's own globs, and within what the repository's configuration leaves to the bot. */
export const checkScope: GateCheck = ({ paths, batch, options }) =>
  paths.flatMap((path) => {
    if (!matchGlobs(batch.scope, path)) {
      return [
        { path, message: `This file is outside the scope of the batch (${batch.scope.join(', ')}). Leave it alone.` },
      ];
    }
    const included = options.scopeIncludes.length === 0 || matchGlobs(options.scopeIncludes, path);
    if (included && !matchGlobs(options.scopeExcludes, path)) return [];
    return [{ path, message: "The repository's configuration leaves this file out. Leave it alone." }];
  });
