/** A repository on the configured code host. */
export interface RepositoryRef {
  readonly owner: string;
  readonly name: string;
  /** The installation of the app that covers it. */
  readonly installationId: number;
  /** HTTPS (or loopback HTTP) clone URL from the payload; refused when its host is not the configured one. */
  readonly cloneUrl: string;
  readonly defaultBranch: string;
  readonly private: boolean;
}

/** `owner/name`. */
export function fullName(repository: Pick<RepositoryRef, 'owner' | 'name'>): string {
  return `${repository.owner}/${repository.name}`;
}
