/** Code that deletes what is not its own: home folders, whole drives. */
import type { Finding } from '../../format/finding.ts';
import type { Check, CheckedBuild } from './check.ts';
import type { Fact } from './flow/fact.ts';
import { commandFindings } from './judge/commands.ts';
import { found, quote } from './judge/evidence.ts';

const RECURSIVE =
  /^fs\.(?:rm|rmSync|rmdir|rmdirSync|remove|removeSync|emptyDir|emptyDirSync)$|rimraf|^del|rmtree/;

const ROOT = /^(?:(?:~|\/|[a-z]:[\\/]?|\/(?:home|etc|usr|var|Users)\/?)(?:\/?\*{1,2})?)$/i;

export const destructive: Check = {
  name: 'destructive',
  run: (build) => [
    ...build.flow.facts.flatMap((fact) => judge(build, fact)),
    ...commandFindings(build, 'destructive'),
  ],
};

function judge(build: CheckedBuild, fact: Fact): Finding[] {
  const { action, api, operand } = fact;
  if (action !== 'delete' || !RECURSIVE.test(api)) return [];
  // Only what can be nothing else: a path that is mixed from several is not known.
  const [path] = operand.texts;
  if (operand.texts.length !== 1 || path === undefined || !ROOT.test(path)) return [];
  return [found(build, 'destructive', fact, { target: quote(path) })];
}
