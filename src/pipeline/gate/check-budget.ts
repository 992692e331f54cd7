import type { GateCheck } from './evidence.ts';

export const checkBudget: GateCheck = ({ files, batch }) => {
  const lines = files.reduce((sum, file) => sum + file.added + file.removed, 0);
  if (lines <= batch.diffBudgetLines) return [];
  return [
    {
      path: null,
      message: `The patch changes ${lines} lines, but the batch may change ${batch.diffBudgetLines}. Do a smaller part of it.`,
    },
  ];
};
