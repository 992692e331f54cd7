import { posix } from 'node:path';
import type { SourceTree } from './source-tree.ts';

/**
 * Names for the module that takes the types of `path`, best first, in the manner of the folder: `render-types.ts`, `renderTypes.ts`,
 * `RenderTypes.ts`, `render_types.ts`, `render.types.ts`. A file that is called after nothing (`types.ts`, `index.ts`) takes
 * the name of its main type. `.tsx` becomes `.ts`, as types hold no markup.
 */
export function typesModuleNames(tree: SourceTree, path: string, mainType: string): string[] {
  const folder = posix.dirname(path);
  const extension = posix.extname(path);
  const base = posix.basename(path, extension);
  const siblings = tree.sourceFiles.filter((other) => posix.dirname(other) === folder && other !== path);
  const join = manner(
    base,
    siblings.map((other) => posix.basename(other)),
  );
  const ending = extension.replace('tsx', 'ts');
  const saysNothing = /^(?:index|main|mod|(?:.*[._-])?(?:types?|interfaces?|models?))$/i.test(base);
  const stems = saysNothing ? [wordsOf(mainType)] : [base, wordsOf(mainType)];
  return stems.map((stem) => posix.join(folder, join(stem) + ending));
}

type Join = (stem: string | readonly string[]) => string;

/** How the folder joins words; a file whose name has several words shows it by itself. */
function manner(base: string, siblings: readonly string[]): Join {
  const stems = siblings.map((name) => name.replace(/\.[^.]+$/, ''));
  if (base.includes('.') || stems.some((stem) => /^[\w-]+\.types$/.test(stem))) {
    return (stem) => `${typeof stem === 'string' ? stem : stem.join('-').toLowerCase()}.types`;
  }
  const shown = [base, ...stems].map((stem) => styleOf(stem)).find((style) => style !== null) ?? 'kebab';
  return (stem) => {
    if (typeof stem !== 'string') return joinWords([...stem, 'types'], shown);
    const suffix = { kebab: '-types', snake: '_types', camel: 'Types', pascal: 'Types' };
    return stem + suffix[shown];
  };
}

type WordStyle = 'kebab' | 'snake' | 'camel' | 'pascal';

function styleOf(stem: string): WordStyle | null {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(stem)) return 'kebab';
  if (/^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(stem)) return 'snake';
  if (/^[a-z0-9]+(?:[A-Z][a-z0-9]*)+$/.test(stem)) return 'camel';
  return /^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)*$/.test(stem) ? 'pascal' : null;
}

function joinWords(words: readonly string[], style: WordStyle): string {
  const lower = words.map((word) => word.toLowerCase());
  if (style === 'kebab') return lower.join('-');
  if (style === 'snake') return lower.join('_');
  const capitalised = lower.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  return style === 'pascal' ? capitalised : capitalised.slice(0, 1).toLowerCase() + capitalised.slice(1);
}

/** `HTTPRequestOptions` → `HTTP`, `Request`, `Options`; a `Type` at the end says nothing beside `types`. */
export function wordsOf(name: string): string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g) ?? [name];
  const isRedundant = words.length > 1 && /^(?:types?|interface)$/i.test(words.at(-1) ?? '');
  return isRedundant ? words.slice(0, -1) : words;
}
