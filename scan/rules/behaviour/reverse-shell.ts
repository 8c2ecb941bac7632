/** A shell whose input and output are connected to the network. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { FETCHED, OUTPUT } from '../../taint/label.ts';
import { commandFindings } from '../../evidence/commands.ts';
import { commandsOf } from '../../evidence/fact-evidence.ts';
import { found } from '../../evidence/fact-finding.ts';

const SHELL = /(?:^|[\\/\s])(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)(?:$|\s)/i;

export const reverseShell: Rule = {
  name: 'reverse-shell',
  run: (build) => [...inCode(build), ...commandFindings(build, 'reverse-shell')],
};

function inCode(build: ScannedBuild): Finding[] {
  const { facts } = build.taint;
  const shell = facts.find((fact) => {
    const { action, api, content, isLarge } = fact;
    if (isLarge) return false;
    if (action === 'feed') return (content.labels & FETCHED) !== 0 && startsShell(facts, fact);
    // Received text is run, and its output is sent.
    const isAnswer = action === 'send' && api.startsWith('$socket');
    return isAnswer && (content.labels & OUTPUT) !== 0 && runsInput(facts, fact);
  });
  return shell === undefined ? [] : [found(build, 'reverse-shell', shell, {})];
}

function startsShell(facts: readonly Fact[], { path, api, operand }: Fact): boolean {
  // A socket that replaces the standard streams affects every process that is started after it.
  const texts = operand.texts.filter(Boolean);
  if (api !== 'os.dup2') return texts.length > 0 && texts.every((t) => SHELL.test(t));
  return facts.some(
    (f) => f.path === path && f.action === 'spawn' && commandsOf(f).some((c) => SHELL.test(c)),
  );
}

function runsInput(facts: readonly Fact[], { path }: Fact): boolean {
  return facts.some(
    (f) =>
      f.path === path &&
      f.action === 'spawn' &&
      ((f.operand.labels & FETCHED) !== 0 || commandsOf(f).some((c) => SHELL.test(c))),
  );
}
