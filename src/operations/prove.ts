import type ts from 'typescript';
import { count, type Change } from './change.ts';
import { cycleFigures } from './import-cycles.ts';
import { declarationStreams, missingFrom } from './token-streams.ts';
import { emittedStatements, statementsDropped } from './emitted-code.ts';
import { exportSurface } from './export-surface.ts';
import { importGraph, importersOf, type ImportGraph } from './import-graph.ts';
import { newDiagnostics } from './diagnostics.ts';
import type { DeclineReason } from './operations.ts';
import type { Project } from './load-project.ts';
import type { Proof, ProofName } from '../domain/patch.ts';
import type { Workbench } from './workbench.ts';

export const REASON_OF_PROOF: Readonly<Record<ProofName, DeclineReason>> = {
  'no-new-diagnostics': 'new-diagnostics',
  'export-surface-equal': 'export-surface-changed',
  'moved-declarations-identical': 'declaration-changed',
  'cycles-not-up': 'cycle-added',
  'emitted-code-equal': 'emitted-code-changed',
};

/** A change in one project: the programs before and after it. */
interface Trial {
  readonly bench: Workbench;
  readonly change: Change;
  readonly before: ts.Program;
  readonly after: ts.Program;
  readonly graphBefore: ImportGraph;
  readonly graphAfter: ImportGraph;
}

/** Tries the change in memory, in every project that holds one of its files. Cheap proofs come first: the first that fails ends it. */
export function prove(bench: Workbench, change: Change): Proof[] {
  const existing = [...change.texts.keys()].filter((path) => !change.cameFrom.has(path));
  const projects = new Set(existing.flatMap((path) => bench.projectsOf(path)));
  const trials = [...projects].map((project) => tryIn(bench, change, project));
  const proofs: Proof[] = [];
  for (const proof of [declarationsProof, exportsProof, cyclesProof, emitProof, diagnosticsProof]) {
    const result = proof(trials);
    proofs.push(result);
    if (!result.held) break;
  }
  return proofs;
}

function tryIn(bench: Workbench, change: Change, project: Project): Trial {
  const before = project.base();
  const after = project.withTexts(change.texts);
  const graphBefore = importGraph(before, bench.tree);
  const graphAfter = importGraph(after, bench.tree);
  return { bench, change, before, after, graphBefore, graphAfter };
}

function declarationsProof(trials: readonly Trial[]): Proof {
  const name = 'moved-declarations-identical';
  for (const trial of trials.slice(0, 1)) {
    const streams = (program: ts.Program) => touchedIn(trial, program).flatMap((file) => declarationStreams(file));
    const before = streams(trial.before);
    const after = streams(trial.after);
    const gone = missingFrom(before, after);
    const made = missingFrom(after, before);
    const held = made.length === 0 && gone.length <= trial.change.removedStatements;
    const evidence = held
      ? `${count(after.length, 'declaration')} token-identical${gone.length === 0 ? '' : `, ${gone.length} removed`}`
      : `changed: ${(made[0] ?? gone[0] ?? '').slice(0, 100)}`;
    return { name, held, evidence };
  }
  return { name, held: false, evidence: 'no project holds these files' };
}

function exportsProof(trials: readonly Trial[]): Proof {
  const name = 'export-surface-equal';
  let exported = 0;
  for (const { bench, change, before, after } of trials) {
    for (const path of change.texts.keys()) {
      if (change.cameFrom.has(path)) continue;
      const fileName = bench.tree.absolute(path);
      const surface = exportSurface(before, fileName);
      const [lost, gained] = differences(surface, exportSurface(after, fileName));
      if (lost !== undefined) return { name, held: false, evidence: `${path} no longer exports ${lost}` };
      if (gained !== undefined) return { name, held: false, evidence: `${path} newly exports ${gained}` };
      exported = Math.max(exported, surface.length);
    }
  }
  return { name, held: true, evidence: `${count(exported, 'exported name')} unchanged, each with its meaning` };
}

function differences(before: readonly string[], after: readonly string[]): [string | undefined, string | undefined] {
  return [missingFrom(before, after)[0], missingFrom(after, before)[0]];
}

function cyclesProof(trials: readonly Trial[]): Proof {
  const name = 'cycles-not-up';
  const parts = trials.map(({ graphBefore, graphAfter }) => {
    const before = cycleFigures(graphBefore);
    const after = cycleFigures(graphAfter);
    const held = after.valueCycles <= before.valueCycles && after.importCycles <= before.importCycles;
    const joined = after.filesInCycles - before.filesInCycles;
    const growth = joined > 0 ? `; ${count(joined, 'file')} joined an existing cycle` : '';
    const figures = `value cycles ${before.valueCycles} to ${after.valueCycles}, import cycles ${before.importCycles} to ${after.importCycles}`;
    return { held, evidence: figures + growth };
  });
  const failed = parts.find((part) => !part.held);
  return { name, held: failed === undefined, evidence: (failed ?? parts[0])?.evidence ?? 'no project' };
}

function emitProof(trials: readonly Trial[]): Proof {
  const name = 'emitted-code-equal';
  let dropped = 0;
  for (const trial of trials.slice(0, 1)) {
    const { bench, change, before, after } = trial;
    for (const path of change.texts.keys()) {
      const fileName = bench.tree.absolute(path);
      const emittedBefore = change.cameFrom.has(path) ? [] : emittedStatements(before, fileName);
      const emittedAfter = emittedStatements(after, fileName);
      if (emittedBefore === null || emittedAfter === null)
        return { name, held: false, evidence: `${path} emits nothing` };
      const gone = statementsDropped(emittedBefore, emittedAfter);
      if (gone === null) return { name, held: false, evidence: `the emitted code of ${path} changed` };
      dropped += gone;
    }
    if (dropped > change.removedStatements) {
      return { name, held: false, evidence: `${count(dropped, 'emitted statement')} went, more than were removed` };
    }
  }
  const but = dropped === 0 ? '' : ` but for ${count(dropped, 'removed statement')}`;
  return { name, held: true, evidence: `emitted JavaScript equal${but}` };
}

function diagnosticsProof(trials: readonly Trial[]): Proof {
  const name = 'no-new-diagnostics';
  const checked = new Set<string>();
  for (const { bench, change, before, after, graphBefore, graphAfter } of trials) {
    const touched = [...change.texts.keys()];
    const seeing = [...importersOf(graphBefore, touched), ...importersOf(graphAfter, touched)];
    const paths = [...new Set([...touched, ...seeing])];
    for (const path of paths) checked.add(path);
    const found = newDiagnostics(bench.tree, { before, after, paths, cameFrom: change.cameFrom });
    if (found[0] !== undefined)
      return { name, held: false, evidence: `${found.length} new: ${found[0].slice(0, 200)}` };
  }
  return { name, held: true, evidence: `0 new diagnostics in ${count(checked.size, 'file')}, importers included` };
}

function touchedIn(trial: Trial, program: ts.Program): ts.SourceFile[] {
  return [...trial.change.texts.keys()]
    .map((path) => program.getSourceFile(trial.bench.tree.absolute(path)))
    .filter((file) => file !== undefined);
}
