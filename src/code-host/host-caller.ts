import type { ProbotOctokit } from 'probot';

import { fullName, type RepositoryRef } from '../domain/repository.ts';
import { isBadToken, mapHostError, type Doing } from './map-errors.ts';

/** Octokit that acts as the app on one installation. */
export type OctokitFor = (installationId: number) => Promise<ProbotOctokit>;

/** Where a call goes, in the words of the REST interface. */
export interface Coordinates {
  readonly owner: string;
  readonly repo: string;
}

/** One exchange with the host about one repository. Throws what `map-errors` makes of it. */
export type HostCaller = <Value>(
  repository: RepositoryRef,
  doing: Doing,
  call: (octokit: ProbotOctokit, at: Coordinates) => Promise<Value>,
) => Promise<Value>;

export function createHostCaller(octokitFor: OctokitFor): HostCaller {
  return async (repository, doing, call) => {
    const at = { owner: repository.owner, repo: repository.name };
    const where = { ...doing, doing: `${doing.doing} of ${fullName(repository)}` };
    try {
      const octokit = await octokitFor(repository.installationId);
      try {
        return await call(octokit, at);
      } catch (error) {
        if (!isBadToken(error)) throw error;
        // The token in the cache was revoked or ran out; only when a fresh one fails too are the credentials wrong.
        await octokit.auth({ type: 'installation', installationId: repository.installationId, refresh: true });
        return await call(octokit, at);
      }
    } catch (error) {
      throw mapHostError(error, where);
    }
  };
}
