import type { Issue } from '../state/records.ts';

/** Issues and pull requests as `sort` and `direction` ask; newest first unless told. */
export function byCreation<Kind extends Issue>(issues: readonly Kind[], query: URLSearchParams): Kind[] {
  const when = (issue: Issue) => (query.get('sort') === 'updated' ? issue.updatedAt : issue.createdAt).getTime();
  const ascending = issues.toSorted((one, other) => when(one) - when(other) || one.number - other.number);
  return query.get('direction') === 'asc' ? ascending : ascending.toReversed();
}
