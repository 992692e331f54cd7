import type { Probot } from 'probot';

import type { Checks } from './checks.ts';
import type { Conversation } from './conversation.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { createGithubChecks } from './github-checks.ts';
import { createGithubConversation } from './github-conversation.ts';
import { createGithubDeliveryLog } from './github-delivery-log.ts';
import { createGithubPullRequests } from './github-pull-requests.ts';
import { createGithubRepository } from './github-repository.ts';
import { createHostCaller } from './host-caller.ts';
import type { PullRequests } from './pull-requests.ts';
import type { RepositoryHost } from './repository.ts';

/** Every face of the code host. */
export interface CodeHost {
  readonly repositories: RepositoryHost;
  readonly conversation: Conversation;
  readonly pullRequests: PullRequests;
  readonly checks: Checks;
  readonly deliveries: DeliveryLog;
}

/** GitHub, or a GitHub Enterprise Server, as the app sees it. */
export function createGithubHost(probot: Pick<Probot, 'auth'>, appId: number): CodeHost {
  const call = createHostCaller((installationId) => probot.auth(installationId));
  return {
    repositories: createGithubRepository(call),
    conversation: createGithubConversation(call, appId),
    pullRequests: createGithubPullRequests(call),
    checks: createGithubChecks(call),
    deliveries: createGithubDeliveryLog(() => probot.auth()),
  };
}
