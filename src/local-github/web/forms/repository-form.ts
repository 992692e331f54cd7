import type { RepositoryView } from '../view.ts';

/** A posted form of a repository's pages. */
export interface RepositoryForm {
  readonly view: RepositoryView;
  readonly fields: URLSearchParams;
  /** The number or id in the form's path; 0 where it has none. */
  readonly id: number;
}
