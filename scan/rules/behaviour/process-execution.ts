/** Shell commands that are assembled at run time: the inserted text may contain other commands. */
import { wordsOf } from '../../parse/word-list.ts';
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { UNKNOWN } from '../../taint/value.ts';
import { fileAt, found, quote } from '../../evidence/fact-finding.ts';

/** These pass their first argument to a shell. */
const SHELL_APIS = new Set(
  wordsOf([
    'child_process.exec child_process.execSync os.system os.popen subprocess.getoutput',
    'subprocess.getstatusoutput commands.getoutput',
  ]),
);
/** Others start a shell when they have this option. */
const SHELL_OPTION = /\bshell\s{0,3}[:=]\s{0,3}(?:true|True|['"])/;
/** The limit of findings in one file. */
const MAX_PER_FILE = 3;

export const processExecution: Rule = {
  name: 'process-execution',
  run: (build) => {
    const counts = new Map<string, number>();
    return build.taint.facts
      .filter((fact) => isBuilt(build, fact))
      .flatMap((fact): Finding[] => {
        const count = (counts.get(fact.path) ?? 0) + 1;
        counts.set(fact.path, count);
        if (count > MAX_PER_FILE) return [];
        const command = fact.operand.texts.find((text) => text.includes(UNKNOWN)) ?? '';
        return [found(build, 'process-execution', fact, { command: quote(command) })];
      });
  },
};

function isBuilt(build: ScannedBuild, fact: Fact): boolean {
  const { action, api, operand, at, end } = fact;
  if (action !== 'spawn' || !operand.texts.some(hasUnknownPart)) return false;
  if (SHELL_APIS.has(api)) return true;
  const { text = '' } = fileAt(build, fact);
  return SHELL_OPTION.test(text.slice(at, Math.min(end, at + 5_000)));
}

/** Constant words with an unknown part between or after them. */
function hasUnknownPart(text: string): boolean {
  return text.includes(UNKNOWN) && text.replaceAll(UNKNOWN, '').trim() !== '';
}
