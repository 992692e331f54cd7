import type { Installation, Permissions, Repository } from '../state/records.ts';
import { refusal } from '../state/refusal.ts';
import type { InstallationToken, Site } from '../state/site.ts';
import { issueInstallationToken } from '../state/tokens.ts';

interface TokenRequest {
  readonly installation: Installation;
  /** Names without the owner. */
  readonly repositories?: readonly string[] | undefined;
  readonly repositoryIds?: readonly number[] | undefined;
  readonly permissions?: Permissions | undefined;
}

/** Issues an installation token, narrowed to the repositories and permissions that are asked for. */
export function createAccessToken(site: Site, request: TokenRequest): InstallationToken {
  const { installation } = request;
  const permissions = narrowPermissions(site.app.permissions, request.permissions);
  const selected = narrowRepositories(repositoriesOf(site, installation), request);
  const repositoryIds = selected && new Set(selected.map((repository) => repository.id));
  return issueInstallationToken(site, { installation, permissions, repositoryIds });
}

export function repositoriesOf(site: Site, installation: Installation): Repository[] {
  return [...site.repositories.values()].filter((repository) => repository.installation === installation);
}

function narrowPermissions(granted: Permissions, asked: Permissions | undefined): Permissions {
  if (!asked) return granted;
  for (const [name, level] of Object.entries(asked)) {
    if (granted[name] !== 'write' && granted[name] !== level) {
      throw refusal(422, 'The permissions requested are not granted to this installation.');
    }
  }
  // Every token can read metadata.
  return { metadata: 'read', ...asked };
}

function narrowRepositories(
  installed: readonly Repository[],
  { repositories, repositoryIds }: TokenRequest,
): Repository[] | null {
  if (!repositories && !repositoryIds) return null;
  const byName = (repositories ?? []).map((name) =>
    installed.find((one) => one.name.toLowerCase() === name.toLowerCase()),
  );
  const byId = (repositoryIds ?? []).map((id) => installed.find((one) => one.id === id));
  return [...byName, ...byId].map((repository) => {
    if (repository) return repository;
    throw refusal(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  });
}
