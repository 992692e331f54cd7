import type { Repository, User } from '../state/records.ts';
import type { Author, Site } from '../state/site.ts';

/** What every page knows. */
export interface View {
  readonly site: Site;
  /** Who the person at the browser plays. */
  readonly viewer: User;
  readonly actor: Author;
  /** Path and query that were asked for. */
  readonly url: URL;
}

/** What every page below `/<owner>/<repository>` knows. */
export interface RepositoryView extends View {
  readonly repository: Repository;
}
