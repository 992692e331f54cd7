import { apply } from '../../../src/operations/apply.ts';
import { detect } from '../../../src/operations/detect.ts';
import { openWorkbench } from '../../../src/operations/workbench.ts';
import type { Application, Declined, Detection } from '../../../src/operations/operations.ts';
import type { MechanicalOperation } from '../../../src/domain/plan.ts';
import type { TypeScriptProject } from '../../support/typescript-project.ts';

export function detectIn(
  project: TypeScriptProject,
  operation: MechanicalOperation,
  asked: { readonly files: readonly string[]; readonly fileLines?: number },
): Detection {
  const files = { 'remove-unused-imports': [], 'remove-unused-declarations': [], 'split-types': [] };
  return detect(openWorkbench(project.root), {
    operations: [operation],
    files: { ...files, [operation]: asked.files },
    limits: { fileLines: asked.fileLines ?? 100 },
  });
}

/** Detects in one file, and applies the candidate to the project: in a fresh process's state, as the bot does it. */
export function refactor(
  project: TypeScriptProject,
  operation: MechanicalOperation,
  asked: { readonly file: string; readonly fileLines?: number },
): { application: Extract<Application, { kind: 'patch' }>; declined: readonly Declined[]; goal: string } {
  const detection = detectIn(project, operation, { ...asked, files: [asked.file] });
  const candidate = detection.candidates[0];
  if (candidate === undefined) throw new Error(`No candidate: ${JSON.stringify(detection.declined)}`);
  const application = apply(openWorkbench(project.root), candidate.recipe);
  if (application.kind !== 'patch') throw new Error(`Declined: ${JSON.stringify(application.declined)}`);
  project.applyDiff(application.diff);
  return { application, declined: detection.declined, goal: candidate.goal };
}
