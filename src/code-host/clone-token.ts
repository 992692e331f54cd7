import type { RepositoryRef } from '../domain/repository.ts';
import type { HostCaller } from './host-caller.ts';

/**
 * A token for git that reaches one repository and its contents alone: what leaks from a clone is worth little. A new one each time,
 * as a cached one may run out in the middle of a push.
 */
export async function requestCloneToken(call: HostCaller, repository: RepositoryRef): Promise<string> {
  const doing = { doing: 'asking for a token to clone', needs: 'contents: write' };
  const answer = await call(repository, doing, ({ rest }, { repo }) =>
    rest.apps.createInstallationAccessToken({
      installation_id: repository.installationId,
      repositories: [repo],
      permissions: { contents: 'write' },
    }),
  );
  return answer.data.token;
}
