import type { GateCheck } from './evidence.ts';

/** Who says one thing and does another is not believed in the rest either. */
export const checkClaims: GateCheck = ({ patch, paths }) => {
  const claimed = new Set(patch.touchedFiles);
  const touched = new Set(paths);
  const silent = paths.filter((path) => !claimed.has(path));
  const untouched = [...claimed].filter((path) => !touched.has(path));
  return [
    ...silent.map((path) => ({
      path,
      message: 'The patch touches this file without saying so. Name every touched file.',
    })),
    ...untouched.map((path) => ({
      path,
      message: 'The patch says it touches this file but does not. Name touched files only.',
    })),
  ];
};

export const checkProofs: GateCheck = ({ patch }) =>
  patch.proofs
    .filter((proof) => !proof.held)
    .map((proof) => ({ path: null, message: `The proof ${proof.name} did not hold: ${proof.evidence}. Change less.` }));
