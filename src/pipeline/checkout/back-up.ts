import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../../git/git-repository.ts';
import type { RepositoryRef } from '../../domain/repository.ts';
import type { RunId } from '../../domain/ids.ts';
import type { Site } from '../ports.ts';
import type { TrustedPath } from '../../domain/workspace.ts';

/** A git bundle of what was fetched, kept after the run: `<data>/backups/<owner>/<name>/<run>.bundle`. Answers its size in bytes. */
export async function backUp(request: {
  readonly git: Pick<GitRepository, 'bundle'>;
  readonly site: Pick<Site, 'dataDir'>;
  readonly run: RunId;
  readonly repository: Pick<RepositoryRef, 'owner' | 'name'>;
}): Promise<number> {
  const folder = path.join(request.site.dataDir, 'backups', request.repository.owner, request.repository.name);
  // Code of private repositories, for nobody else on the machine.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return request.git.bundle(path.join(folder, `${request.run}.bundle`) as TrustedPath);
}
