import ts from 'typescript';
import { declarationsOf, isTypeDeclaration, type TopLevelUnit } from './top-level-units.ts';
import { sameModule } from './module-paths.ts';
import type { Workbench } from './workbench.ts';

/** One name in a `declare module '…' { }`. */
interface Augmentation {
  readonly from: string;
  readonly specifier: string;
  readonly name: string;
}

const known = new WeakMap<Workbench, readonly Augmentation[]>();

/**
 * Names of the module at `path` that something augments, with who does. Such a declaration must stay where it is: additions are made to
 * the module that is named, so the code that would import the moved type would see it without them, as would users of the library.
 */
export function augmentedNames(bench: Workbench, path: string): Map<string, string> {
  let all = known.get(bench);
  if (all === undefined)
    known.set(bench, (all = bench.tree.sourceFiles.flatMap((from) => augmentationsIn(bench, from))));
  return new Map(
    all
      .filter(({ from, specifier }) => sameModule(bench.tree, { from, specifier }, path))
      .map(({ name, from, specifier }) => [name, `${from} declares module '${specifier}' with ${name}`]),
  );
}

function augmentationsIn(bench: Workbench, from: string): Augmentation[] {
  const text = bench.tree.read(from) ?? '';
  if (!/\bdeclare\s+module\b/.test(text)) return [];
  const sourceFile = ts.createSourceFile(from, text, ts.ScriptTarget.Latest, false);
  return sourceFile.statements.flatMap((statement) => {
    if (!ts.isModuleDeclaration(statement) || !ts.isStringLiteral(statement.name)) return [];
    const specifier = statement.name.text;
    const inner = statement.body !== undefined && ts.isModuleBlock(statement.body) ? statement.body.statements : [];
    return inner.flatMap((one) => declarationsOf(one)).map(({ name }) => ({ from, specifier, name }));
  });
}

/** An exported interface without members is an invitation to augment it, also by code that is not in this repository. */
export function invitesAugmentation(unit: TopLevelUnit): boolean {
  return (
    unit.exported &&
    unit.statements.every(
      (statement) =>
        isTypeDeclaration(statement) &&
        ts.isInterfaceDeclaration(statement) &&
        statement.members.length === 0 &&
        (statement.heritageClauses ?? []).length === 0,
    )
  );
}
