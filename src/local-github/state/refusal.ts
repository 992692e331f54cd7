/** A request that GitHub answers with an error status. */
export interface Refusal extends Error {
  readonly status: number;
  /** Plain sentences where GitHub's description wants those. */
  readonly errors: readonly (ValidationFailure | string)[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ValidationFailure {
  readonly resource: string;
  readonly field?: string;
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'custom';
  readonly message?: string;
}

interface RefusalDetails {
  readonly errors?: readonly (ValidationFailure | string)[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the error to throw when GitHub would answer `status` with `message`. */
export function refusal(status: number, message: string, details: RefusalDetails = {}): Refusal {
  const { errors, headers = {} } = details;
  return Object.assign(new Error(message), { name: 'Refusal', status, errors, headers });
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal';
}

export function notFound(): Refusal {
  return refusal(404, 'Not Found');
}

export function validationFailed(failure: ValidationFailure): Refusal {
  return refusal(422, 'Validation Failed', { errors: [failure] });
}
