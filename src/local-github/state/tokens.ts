import { randomBytes } from 'node:crypto';
import type { Installation, Permissions, User } from './records.ts';
import type { Actor, InstallationToken, Site } from './site.ts';

const lifetimeMs = 60 * 60 * 1000;

interface TokenScope {
  readonly installation: Installation;
  readonly permissions: Permissions;
  /** Null: every repository of the installation. */
  readonly repositoryIds: ReadonlySet<number> | null;
}

export function issueInstallationToken(site: Site, scope: TokenScope): InstallationToken {
  const issued: InstallationToken = {
    token: `ghs_${randomToken()}`,
    // GitHub writes times in whole seconds.
    expiresAt: new Date(Math.floor((site.now().getTime() + lifetimeMs) / 1000) * 1000),
    actor: { kind: 'installation', user: site.app.bot, ...scope },
  };
  site.installationTokens.set(issued.token, issued);
  return issued;
}

export function issueUserToken(site: Site, user: User): string {
  const token = `ghp_${randomToken()}`;
  site.userTokens.set(token, user);
  return token;
}

/** Whom a token stands for; null when it is unknown, revoked or expired. */
export function actorOfToken(site: Site, token: string): Actor | null {
  const user = site.userTokens.get(token);
  if (user) return { kind: 'user', user };
  const issued = site.installationTokens.get(token);
  return issued && issued.expiresAt > site.now() ? issued.actor : null;
}

function randomToken(): string {
  return randomBytes(27).toString('base64url').replace(/[-_]/g, 'x');
}
