import { accountRoutes } from './routes/account-routes.ts';
import { appRoutes } from './routes/app-routes.ts';
import { checkRoutes } from './routes/check-routes.ts';
import { commentRoutes } from './routes/comment-routes.ts';
import { commitRoutes } from './routes/commit-routes.ts';
import { contentRoutes } from './routes/content-routes.ts';
import { gitDataRoutes } from './routes/git-data-routes.ts';
import { gitRefRoutes } from './routes/git-ref-routes.ts';
import { issueRoutes } from './routes/issue-routes.ts';
import { labelRoutes } from './routes/label-routes.ts';
import { pullRoutes } from './routes/pull-routes.ts';
import { reactionRoutes } from './routes/reaction-routes.ts';
import { repositoryRoutes } from './routes/repository-routes.ts';
import { reviewRoutes } from './routes/review-routes.ts';
import type { Route } from './route.ts';

/** Everything the REST API can do. The first route that matches wins. */
export const routeTable: readonly Route[] = [
  ...accountRoutes,
  ...appRoutes,
  ...checkRoutes,
  ...commentRoutes,
  ...reactionRoutes,
  ...labelRoutes,
  ...issueRoutes,
  ...reviewRoutes,
  ...pullRoutes,
  ...gitRefRoutes,
  ...gitDataRoutes,
  ...commitRoutes,
  ...contentRoutes,
  ...repositoryRoutes,
];

const compiled = routeTable.map((route) => ({ route, expression: compilePattern(route.pattern) }));

interface MatchedRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export function matchRoute(method: string, path: string): MatchedRoute | null {
  for (const { route, expression } of compiled) {
    const match = route.method === method ? expression.exec(path) : null;
    if (match) return { route, params: decodeAll(match.groups ?? {}) };
  }
  return null;
}

function compilePattern(pattern: string): RegExp {
  const source = pattern
    .replaceAll('.', '\\.')
    .replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')
    .replaceAll(/\*(\w+)/g, '(?<$1>.*)');
  return new RegExp(`^${source}/?$`);
}

function decodeAll(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
