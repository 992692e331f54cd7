import { validationFailed } from '../state/refusal.ts';

/** Characters of a body of an issue, comment, review or pull request. */
const longestBody = 65_536;

/** Refuses a body that GitHub would not store. */
export function checkBody(resource: string, body: string | null | undefined): void {
  // GitHub counts code points.
  if (Array.from(body ?? '').length > longestBody) {
    throw validationFailed({
      resource,
      field: 'body',
      code: 'custom',
      message: `body is too long (maximum is ${longestBody} characters)`,
    });
  }
}

export function checkFilledBody(resource: string, body: string): void {
  if (body.trim() === '')
    throw validationFailed({ resource, field: 'body', code: 'custom', message: "body can't be blank" });
  checkBody(resource, body);
}

export function checkTitle(resource: string, title: string): void {
  if (title.trim() === '') throw validationFailed({ resource, field: 'title', code: 'missing_field' });
  if (title.length > 256) {
    throw validationFailed({
      resource,
      field: 'title',
      code: 'custom',
      message: 'title is too long (maximum is 256 characters)',
    });
  }
}
