import { changedLines } from './unified-diff.ts';
import { ENGINE, OPERATION_TABLE } from './registry.ts';
import { diffOf, failedProof, formatted, refusalsOf, tryOut, type Attempt } from './attempt.ts';
import type { Candidate, Declined, DetectRequest, Detection } from './operations.ts';
import type { Change } from './change.ts';
import type { MechanicalOperation } from '../domain/plan.ts';
import type { Workbench } from './workbench.ts';
import { prove } from './prove.ts';

/** Tries every operation on its files in memory. What is answered as a candidate has passed all proofs. */
export function detect(bench: Workbench, request: DetectRequest): Detection {
  const candidates: Candidate[] = [];
  const declined: Declined[] = [];
  for (const operation of request.operations) {
    const wish = { names: null, target: null, fileLines: request.limits.fileLines };
    const attempts = request.files[operation].map((path) => tryOut(bench, { operation, path, wish }));
    declined.push(...attempts.flatMap((attempt) => refusalsOf(attempt)));
    const proved = proveAll(
      bench,
      operation,
      attempts.filter((attempt) => attempt.change !== null),
    );
    candidates.push(...proved.held.map((attempt) => toCandidate(bench, attempt)));
    declined.push(...proved.declined);
  }
  return { engine: ENGINE, candidates, declined };
}

interface Proved {
  readonly held: readonly Attempt[];
  readonly declined: readonly Declined[];
}

function proveAll(bench: Workbench, operation: MechanicalOperation, attempts: readonly Attempt[]): Proved {
  if (OPERATION_TABLE[operation].triedTogether && attempts.length > 1 && holdTogether(bench, attempts)) {
    return { held: attempts, declined: [] };
  }
  const held: Attempt[] = [];
  const declined: Declined[] = [];
  for (const attempt of attempts) {
    const ready = operation === 'split-types' ? formatted(bench, attempt) : attempt;
    const failure = failedProof(bench, ready);
    if (failure === null) held.push(ready);
    else declined.push(failure);
  }
  return { held, declined };
}

/** A program that holds all changes costs as much as one that holds one of them; they touch no name of each other. */
function holdTogether(bench: Workbench, attempts: readonly Attempt[]): boolean {
  const changes = attempts.map((attempt) => attempt.change).filter((change) => change !== null);
  const all: Change = {
    texts: new Map(changes.flatMap((change) => [...change.texts])),
    cameFrom: new Map(),
    removedStatements: changes.reduce((sum, change) => sum + change.removedStatements, 0),
  };
  return prove(bench, all).every((proof) => proof.held);
}

function toCandidate(bench: Workbench, attempt: Attempt): Candidate {
  const diff = diffOf(bench, attempt);
  return {
    recipe: { operation: attempt.operation, engine: ENGINE, files: [attempt.path], inputs: attempt.inputs },
    goal: attempt.goal,
    files: [...(attempt.change?.texts.keys() ?? [])].sort(),
    diffLines: changedLines(diff),
  };
}
