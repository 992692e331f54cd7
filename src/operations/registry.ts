import ts from 'typescript';
import { removeUnusedDeclarations } from './remove-unused-declarations.ts';
import { removeUnusedImports } from './remove-unused-imports.ts';
import { splitTypes } from './split-types.ts';
import type { MechanicalOperation } from '../domain/plan.ts';
import type { Propose } from './change.ts';

/** Raise the number when an operation answers another diff for the same tree: recipes are replayed by the engine they name. */
export const ENGINE = `refactor-bot-operations/2 typescript/${ts.version}`;

interface Registered {
  readonly propose: Propose;
  /** Many small changes are tried together; a large one on its own. */
  readonly triedTogether: boolean;
}

/** Every operation. A new one is a file with a `Propose` and a line here. */
export const OPERATION_TABLE: Readonly<Record<MechanicalOperation, Registered>> = {
  'remove-unused-imports': { propose: removeUnusedImports, triedTogether: true },
  'remove-unused-declarations': { propose: removeUnusedDeclarations, triedTogether: true },
  'split-types': { propose: splitTypes, triedTogether: false },
};
