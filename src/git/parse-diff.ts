import { parseHunk, type DiffHunk } from './parse-hunk.ts';
import { unquotePath } from './unquote-path.ts';

export type DiffStatus = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'mode-changed';

/** One file of a diff. A path is null where the file does not exist on that side; modes and blobs are null where not told. */
export interface DiffFile {
  readonly oldPath: string | null;
  readonly newPath: string | null;
  readonly status: DiffStatus;
  readonly oldMode: string | null;
  readonly newMode: string | null;
  /** As the `index` line has them: full ids when the diff was made with `--full-index`. */
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly binary: boolean;
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

/** `wrong-count` can be mended (the hunk was counted anew); every other kind means that the text cannot be relied on. */
export interface DiffProblem {
  readonly kind: 'too-large' | 'unexpected-text' | 'bad-header' | 'bad-path' | 'duplicate-file' | 'wrong-count';
  /** Counts from 1. */
  readonly line: number;
  readonly message: string;
}

export interface ParsedDiff {
  readonly files: readonly DiffFile[];
  readonly problems: readonly DiffProblem[];
}

/** What a collector may hand over at most; beyond it nothing is read. */
const MAX_CHARACTERS = 20 * 1024 * 1024;
const MAX_FILES = 10_000;
const MAX_PROBLEMS = 20;

/** A header as it is read, line by line. */
interface FileDraft {
  oldPath: string | null;
  newPath: string | null;
  status: DiffStatus;
  oldMode: string | null;
  newMode: string | null;
  oldBlob: string | null;
  newBlob: string | null;
  binary: boolean;
  hunks: DiffHunk[];
}

/** What reading leaves behind: the lines, the place in them, and what was found. */
interface Reading {
  readonly lines: readonly string[];
  at: number;
  readonly files: DiffFile[];
  readonly problems: DiffProblem[];
}

/**
 * Reads a unified diff in git's format (`diff --git` headers). Never throws: what does not fit comes back as problems. What it
 * says about an untrusted text may still differ from what git makes of it, so policy is judged on git's own diff of the result.
 */
export function parseDiff(text: string): ParsedDiff {
  if (text.length > MAX_CHARACTERS) return refused('the diff is larger than 20 MiB');
  const lines = text.split('\n');
  // The end of the last line, not a line of its own.
  if (lines.at(-1) === '') lines.pop();
  const reading: Reading = { lines, at: 0, files: [], problems: [] };
  while (reading.at < lines.length) {
    if (reading.files.length >= MAX_FILES) return refused(`the diff touches more than ${MAX_FILES} files`);
    readSection(reading);
  }
  noteDuplicates(reading);
  return { files: reading.files, problems: reading.problems };
}

function refused(message: string): ParsedDiff {
  return { files: [], problems: [{ kind: 'too-large', line: 1, message }] };
}

function note(reading: Reading, kind: DiffProblem['kind'], message: string): void {
  if (reading.problems.length >= MAX_PROBLEMS) return;
  reading.problems.push({ kind, line: reading.at + 1, message });
}

function readSection(reading: Reading): void {
  const line = reading.lines[reading.at] ?? '';
  if (!line.startsWith('diff --git ')) {
    if (line.trim() !== '') note(reading, 'unexpected-text', 'there is text that belongs to no file of the diff');
    reading.at++;
    return;
  }
  const draft = startFile(reading, line.slice('diff --git '.length));
  reading.at++;
  readHeader(reading, draft);
  readHunks(reading, draft);
  reading.files.push(finish(draft));
}

function startFile(reading: Reading, names: string): FileDraft {
  const paths = splitNames(names);
  if (paths === null && !names.includes('"') && !/^a\/.+ b\/./.test(names)) {
    note(reading, 'bad-header', 'a "diff --git" line does not name "a/<path> b/<path>"');
  }
  return {
    oldPath: paths?.[0] ?? null,
    newPath: paths?.[1] ?? null,
    status: 'modified',
    oldMode: null,
    newMode: null,
    oldBlob: null,
    newBlob: null,
    binary: false,
    hunks: [],
  };
}

/** Unquoted names with spaces can be told apart only when both sides are the same; a rename names them again below. */
function splitNames(names: string): readonly [string, string] | null {
  const quoted = /^("(?:[^"\\]|\\.)*"|a\/\S*) ("(?:[^"\\]|\\.)*"|b\/\S*)$/su.exec(names);
  if (quoted !== null) {
    const old = stripPrefix(quoted[1] ?? '', 'a/');
    const changed = stripPrefix(quoted[2] ?? '', 'b/');
    return old === null || changed === null ? null : [old, changed];
  }
  const half = (names.length - 1) / 2;
  const old = stripPrefix(names.slice(0, half), 'a/');
  const changed = stripPrefix(names.slice(half + 1), 'b/');
  return old !== null && old === changed ? [old, changed] : null;
}

function stripPrefix(name: string, prefix: string): string | null {
  const plain = name.startsWith('"') ? unquotePath(name) : name;
  return plain?.startsWith(prefix) && plain.length > prefix.length ? plain.slice(prefix.length) : null;
}

type HeaderReader = (draft: FileDraft, value: string) => boolean;

/** Extended header lines by their first words; false when the value makes no sense. */
const HEADERS: readonly (readonly [string, HeaderReader])[] = [
  ['old mode ', (draft, mode) => setMode(draft, 'oldMode', mode)],
  ['new mode ', (draft, mode) => setMode(draft, 'newMode', mode)],
  ['new file mode ', (draft, mode) => setStatus(draft, 'added') && setMode(draft, 'newMode', mode)],
  ['deleted file mode ', (draft, mode) => setStatus(draft, 'deleted') && setMode(draft, 'oldMode', mode)],
  ['rename from ', (draft, name) => setStatus(draft, 'renamed') && setPath(draft, 'oldPath', name)],
  ['rename to ', (draft, name) => setPath(draft, 'newPath', name)],
  ['copy from ', (draft, name) => setStatus(draft, 'copied') && setPath(draft, 'oldPath', name)],
  ['copy to ', (draft, name) => setPath(draft, 'newPath', name)],
  ['similarity index ', () => true],
  ['dissimilarity index ', () => true],
  ['index ', setBlobs],
  ['Binary files ', setBinary],
  ['GIT binary patch', setBinary],
  ['--- ', (draft, name) => agreesWith(draft, 'oldPath', name)],
  ['+++ ', (draft, name) => agreesWith(draft, 'newPath', name)],
];

function setStatus(draft: FileDraft, status: DiffStatus): boolean {
  draft.status = status;
  return true;
}

function setMode(draft: FileDraft, side: 'oldMode' | 'newMode', mode: string): boolean {
  if (!/^[0-7]{6}$/.test(mode)) return false;
  draft[side] = mode;
  return true;
}

function setPath(draft: FileDraft, side: 'oldPath' | 'newPath', name: string): boolean {
  const path = name.startsWith('"') ? unquotePath(name) : name;
  if (path === null || path === '') return false;
  draft[side] = path;
  return true;
}

function setBlobs(draft: FileDraft, value: string): boolean {
  const [, old, changed, mode] = /^([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?$/.exec(value) ?? [];
  if (old === undefined || changed === undefined) return false;
  draft.oldBlob = old;
  draft.newBlob = changed;
  if (mode !== undefined) {
    draft.oldMode ??= mode;
    draft.newMode ??= mode;
  }
  return true;
}

function setBinary(draft: FileDraft): boolean {
  draft.binary = true;
  return true;
}

/** `--- a/x` must say again what the first line said; git ends a name with a tab where it holds a space. */
function agreesWith(draft: FileDraft, side: 'oldPath' | 'newPath', value: string): boolean {
  const name = value.replace(/\t[^\t]*$/, '');
  if (name === '/dev/null') return draft.status === (side === 'oldPath' ? 'added' : 'deleted');
  const path = stripPrefix(name, side === 'oldPath' ? 'a/' : 'b/');
  if (path === null || (draft[side] !== null && draft[side] !== path)) return false;
  draft[side] = path;
  return true;
}

function readHeader(reading: Reading, draft: FileDraft): void {
  for (; reading.at < reading.lines.length; reading.at++) {
    const line = reading.lines[reading.at] ?? '';
    if (line.startsWith('diff --git ') || line.startsWith('@@ ')) return;
    const [words, read] = HEADERS.find(([start]) => line.startsWith(start)) ?? [];
    if (words === undefined || read === undefined) {
      if (!draft.binary && line.trim() !== '') note(reading, 'unexpected-text', 'a line fits into no header of a file');
    } else if (!read(draft, line.slice(words.length))) {
      note(reading, 'bad-header', `a "${words.trim()}" line does not fit the file it stands in`);
    }
  }
}

function readHunks(reading: Reading, draft: FileDraft): void {
  while ((reading.lines[reading.at] ?? '').startsWith('@@ ')) {
    const parsed = parseHunk(reading.lines, reading.at);
    if (parsed === null) {
      note(reading, 'bad-header', 'the header of a hunk cannot be read');
      reading.at++;
      return;
    }
    if (!parsed.countsHold) note(reading, 'wrong-count', 'the header of a hunk promises other counts of lines');
    draft.hunks.push(parsed.hunk);
    reading.at = parsed.next;
  }
  if (draft.oldPath === null && draft.newPath === null) note(reading, 'bad-path', 'a file of the diff has no path');
}

function finish(draft: FileDraft): DiffFile {
  const lines = draft.hunks.flatMap((hunk) => hunk.lines);
  const modeChanged = draft.oldMode !== draft.newMode && draft.oldMode !== null && draft.newMode !== null;
  const onlyMode = draft.status === 'modified' && modeChanged && lines.length === 0 && !draft.binary;
  return {
    ...draft,
    oldPath: draft.status === 'added' ? null : draft.oldPath,
    newPath: draft.status === 'deleted' ? null : draft.newPath,
    status: onlyMode ? 'mode-changed' : draft.status,
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** A second section for a path applies on top of the first: what a reader sees is then not what is applied. */
function noteDuplicates(reading: Reading): void {
  const seen = new Set<string>();
  for (const { oldPath, newPath, status } of reading.files) {
    const paths = status === 'copied' ? [newPath] : [oldPath, newPath];
    for (const path of new Set(paths.filter((path) => path !== null))) {
      if (seen.has(path)) note(reading, 'duplicate-file', 'a file stands in the diff more than once');
      seen.add(path);
    }
  }
}
