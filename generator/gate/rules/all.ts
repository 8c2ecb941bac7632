/** Every rule of the gate, in the order in which a verdict lists their reasons. */
import type { Reason } from '../gate-verdict.ts';
import { checkAdvisories } from './advisories.ts';
import { checkBuildFolders, checkRequirements, checkScans, checkVersions } from './builds.ts';
import { checkCapabilities, checkConsent, checkUnreadFiles } from './consent.ts';
import { checkMoves } from './moves.ts';
import { checkNewNames } from './names.ts';
import { checkAuthority, checkOwnerFiles, checkTakeDowns, checkWithdrawals } from './owners.ts';
import { checkModeration, checkPaths, checkScope, checkTreeModes } from './paths.ts';
import type { Change, Rule } from './rule.ts';
import { checkStatements } from './statements.ts';

const RULES: readonly Rule[] = [
  checkScope,
  checkAuthority,
  checkPaths,
  checkBuildFolders,
  checkNewNames,
  checkVersions,
  checkRequirements,
  checkScans,
  checkConsent,
  checkCapabilities,
  checkUnreadFiles,
  checkOwnerFiles,
  checkMoves,
  checkWithdrawals,
  checkTakeDowns,
  checkModeration,
  checkStatements,
  checkAdvisories,
  checkTreeModes,
];

/**
 * The reasons of all rules, each once: two rules may find the same fault.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function checkAll(change: Change): Promise<Reason[]> {
  const reasons = new Map<string, Reason>();
  for (const check of RULES) {
    for (const reason of await check(change)) {
      const { code, file, line, message } = reason;
      const key = JSON.stringify([code, file, line, message]);
      if (!reasons.has(key)) reasons.set(key, reason);
    }
  }
  return [...reasons.values()];
}
