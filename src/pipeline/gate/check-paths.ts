import type { DiffFile } from '../../git/parse-diff.ts';
import type { GateCheck } from './evidence.ts';

const SYMLINK = '120000';
const SUBMODULE = '160000';

/** Names that Windows cannot keep apart from devices, or that change when they are written there. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export const checkUnsafePaths: GateCheck = ({ paths }) =>
  paths.filter(isUnsafe).map((path) => ({
    path: shown(path),
    message:
      'This path leaves the tree, reaches into .git, or cannot be kept on every system. Use a plain relative path.',
  }));

function isUnsafe(path: string): boolean {
  if (path.startsWith('/') || path.length > 1000 || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\:]/u.test(path)) return true;
  return path.split('/').some(isUnsafeName);
}

function isUnsafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || /[. ]$/.test(name) || RESERVED.test(name)) return true;
  return /^(?:\.git|git~\d+)$/i.test(name);
}

/** A rejection is shown to people and to the next attempt: it must not carry what was refused for being unprintable. */
function shown(path: string): string {
  return JSON.stringify(path.slice(0, 200)).slice(1, -1);
}

export const checkSymlinks: GateCheck = ({ files, proposed }) =>
  withMode([...proposed.files, ...files], SYMLINK).map((path) => ({
    path,
    message: 'A patch must not make or change a symbolic link. Leave links as they are.',
  }));

export const checkSubmodules: GateCheck = ({ files, proposed }) =>
  withMode([...proposed.files, ...files], SUBMODULE).map((path) => ({
    path,
    message: 'A patch must not add or move a submodule. Leave submodules as they are.',
  }));

function withMode(files: readonly DiffFile[], mode: string): readonly string[] {
  const found = files.filter((file) => file.oldMode === mode || file.newMode === mode);
  return [...new Set(found.map((file) => file.newPath ?? file.oldPath ?? ''))];
}

/** From a plain file to a program or back. Links and submodules have rules of their own. */
export const checkModes: GateCheck = ({ files }) =>
  files
    .filter(({ oldMode, newMode }) => isPlain(oldMode) && isPlain(newMode) && oldMode !== newMode)
    .map((file) => ({
      path: file.newPath,
      message: 'A patch must not change the mode of a file. Change its text only.',
    }));

function isPlain(mode: string | null): boolean {
  return mode === '100644' || mode === '100755';
}

export const checkBinary: GateCheck = ({ files }) =>
  files
    .filter((file) => file.binary)
    .map((file) => ({
      path: file.newPath ?? file.oldPath,
      message: 'A patch must not touch a binary file. Leave it out.',
    }));
