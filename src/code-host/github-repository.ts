import { BotError } from '../domain/errors.ts';
import { toCommitId } from '../domain/ids.ts';
import { fullName } from '../domain/repository.ts';
import { requestCloneToken } from './clone-token.ts';
import type { HostCaller } from './host-caller.ts';
import { orNull, orNullWhenEmpty, orNullWhenSo } from './map-errors.ts';
import type { Permission, RepositoryHost } from './repository.ts';

const PERMISSIONS: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];
const MAX_TEXT_BYTES = 1024 * 1024;

export function createGithubRepository(call: HostCaller): RepositoryHost {
  return {
    async permissionOf(repository, login) {
      const doing = { doing: `asking for the permission of ${login}`, needs: 'metadata: read' };
      const answer = await call(repository, doing, ({ rest }, at) =>
        orNull(rest.repos.getCollaboratorPermissionLevel({ ...at, username: login })),
      );
      return toPermission(answer?.data);
    },

    async branchHead(repository, branch) {
      const doing = { doing: `looking up branch ${branch}`, needs: 'contents: read' };
      const answer = await call(repository, doing, ({ rest }, at) =>
        orNullWhenEmpty(rest.git.getRef({ ...at, ref: `heads/${branch}` })),
      );
      return answer === null ? null : toCommitId(answer.data.object.sha);
    },

    async readTextFile(repository, { path, ref }) {
      const doing = { doing: `reading ${path}`, needs: 'contents: read' };
      const answer = await call(repository, doing, ({ rest }, at) =>
        orNull(rest.repos.getContent({ ...at, path, ref })),
      );
      // A directory is a list; a submodule is no file either.
      if (answer === null || Array.isArray(answer.data) || answer.data.type !== 'file') return null;
      if (answer.data.size > MAX_TEXT_BYTES) {
        throw new BotError(
          'config-invalid',
          `${path} of ${fullName(repository)} has ${answer.data.size} bytes, more than 1 MiB; make it shorter.`,
        );
      }
      return Buffer.from(answer.data.content, 'base64').toString('utf8');
    },

    async deleteBranch(repository, branch) {
      const doing = { doing: `deleting branch ${branch}`, needs: 'contents: write' };
      const answer = await call(repository, doing, ({ rest }, at) =>
        orNullWhenSo(rest.git.deleteRef({ ...at, ref: `heads/${branch}` })),
      );
      return answer !== null;
    },

    cloneToken: (repository) => requestCloneToken(call, repository),
  };
}

/** `role_name` tells maintain and triage apart; of a role the organisation made, `permission` tells what it is based on. */
function toPermission(answer: { readonly permission: string; readonly role_name?: string } | undefined): Permission {
  return (
    PERMISSIONS.find((name) => name === answer?.role_name) ??
    PERMISSIONS.find((name) => name === answer?.permission) ??
    'none'
  );
}
