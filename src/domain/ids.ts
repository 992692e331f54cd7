import { createHash } from 'node:crypto';

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

/** `20261122-010203-1a2b3c4d`: the time the run was asked for (UTC) and eight hex digits of what asked for it. */
export type RunId = Brand<'RunId'>;
/** `X-GitHub-Delivery`: a GUID. */
export type DeliveryId = Brand<'DeliveryId'>;
/** `batch-001`: its place in the plan, stable for the life of the plan. */
export type BatchId = Brand<'BatchId'>;
/** Full hexadecimal id of a git commit. */
export type CommitId = Brand<'CommitId'>;
/** Full hexadecimal id of a git tree. */
export type TreeId = Brand<'TreeId'>;
/** The content hash of a plan: what an approval is bound to. Ten hexadecimal digits. */
export type PlanHash = Brand<'PlanHash'>;

/** The same request at the same time always gets the same id, so a delivery that is handled twice starts one run. */
export function runIdFor(requestKey: string, at: Date): RunId {
  const stamp = at.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${sha256(requestKey).slice(0, 8)}` as RunId;
}

/** `batch-001` for the first (`ordinal` 1). */
export function batchIdFor(ordinal: number): BatchId {
  return `batch-${String(ordinal).padStart(3, '0')}` as BatchId;
}

export function toCommitId(value: string): CommitId {
  assertObjectId(value);
  return value as CommitId;
}

export function toTreeId(value: string): TreeId {
  assertObjectId(value);
  return value as TreeId;
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

function assertObjectId(value: string): void {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value)) throw new TypeError(`Not a git object id: ${value.slice(0, 80)}`);
}
