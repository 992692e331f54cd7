import type ts from 'typescript';
import { openSourceTree, type SourceTree } from './source-tree.ts';
import { projectFinder } from './find-projects.ts';
import type { Project } from './load-project.ts';

/** The tree under the operations and what was learned about it: one per process, so that each project is loaded once. */
export interface Workbench {
  readonly tree: SourceTree;
  /** At least one; the first sees the most importers. Every proof is given in all of them. */
  projectsOf(path: string): readonly Project[];
}

export function openWorkbench(root: string): Workbench {
  const tree = openSourceTree(root);
  return { tree, projectsOf: projectFinder(tree) };
}

/** A file in its first project, with that project's untouched program. */
export interface OpenFile {
  readonly path: string;
  readonly project: Project;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly sourceFile: ts.SourceFile;
}

export function openFile(bench: Workbench, path: string): OpenFile | null {
  const project = bench.projectsOf(path)[0];
  const program = project?.base();
  const sourceFile = program?.getSourceFile(bench.tree.absolute(path));
  if (project === undefined || program === undefined || sourceFile === undefined) return null;
  return { path, project, program, checker: program.getTypeChecker(), sourceFile };
}
