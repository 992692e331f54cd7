import type { FigureName } from './figures.ts';

export const FINDING_RULES = [
  'file-too-long',
  'function-too-long',
  'class-too-large',
  'unused-import',
  'unused-declaration',
  'import-cycle',
] as const;
export type FindingRule = (typeof FINDING_RULES)[number];

/** One measured reason to refactor. */
export interface Finding {
  readonly rule: FindingRule;
  /** Repository path of the file (of a cycle: its first member). */
  readonly path: string;
  /** What in the file: a function, class, import or declaration name; the other members of a cycle; empty for the file itself. */
  readonly symbols: readonly string[];
  readonly figure: FigureName;
  /** What was measured, and the limit it is beyond. */
  readonly measured: number;
  readonly threshold: number;
  /** Severity times hotspot: what orders findings of one rule. Above 0. */
  readonly weight: number;
}
