import type { GateRule } from '../../domain/patch.ts';
import { checkApplies, checkContext, checkEmpty, checkMalformed } from './check-form.ts';
import { checkBudget } from './check-budget.ts';
import { checkBinary, checkModes, checkSubmodules, checkSymlinks, checkUnsafePaths } from './check-paths.ts';
import { checkClaims, checkProofs } from './check-claims.ts';
import { checkDependencies } from './check-dependencies.ts';
import { checkProtected } from './check-protected.ts';
import { checkScope } from './check-scope.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSymbols } from './check-symbols.ts';
import { checkTests } from './check-tests.ts';
import type { GateCheck } from './evidence.ts';

/** Every rule of the gate. A new rule: its name in `domain/patch.ts`, its line here, its patch in `test/contract/gate.test.ts`. */
export const GATE: Readonly<Record<GateRule, GateCheck>> = {
  'empty-patch': checkEmpty,
  'malformed-diff': checkMalformed,
  'unsafe-path': checkUnsafePaths,
  symlink: checkSymlinks,
  submodule: checkSubmodules,
  'mode-change': checkModes,
  binary: checkBinary,
  'protected-path': checkProtected,
  'out-of-scope': checkScope,
  'outside-symbols': checkSymbols,
  'claims-differ': checkClaims,
  'over-budget': checkBudget,
  'new-dependency': checkDependencies,
  'tests-weakened': checkTests,
  secret: checkSecrets,
  'ambiguous-context': checkContext,
  'does-not-apply': checkApplies,
  'proof-failed': checkProofs,
};
