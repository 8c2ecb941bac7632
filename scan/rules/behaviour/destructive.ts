/** Code that deletes the user's data: home folders, whole drives. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { FILE } from '../../taint/label.ts';
import { UNKNOWN } from '../../taint/value.ts';
import { commandFindings } from '../../evidence/commands.ts';
import { found, quote } from '../../evidence/fact-finding.ts';

const RECURSIVE =
  /^fs\.(?:rm|rmSync|rmdir|rmdirSync|remove|removeSync|emptyDir|emptyDirSync)$|rimraf|^del|rmtree/;

const ROOT = /^(?:(?:~|\/|[a-z]:[\\/]?|\/(?:home|etc|usr|var|Users)\/?)(?:\/?\*{1,2})?)$/i;

export const destructive: Rule = {
  name: 'destructive',
  run: (build) => [
    ...build.taint.facts.flatMap((fact) => checkFact(build, fact)),
    ...commandFindings(build, 'destructive'),
  ],
};

function checkFact(build: ScannedBuild, fact: Fact): Finding[] {
  const { action, api, operand } = fact;
  if (overwrites(build, fact)) {
    return [found(build, 'destructive', fact, { target: quote('/') }, 'warn')];
  }
  if (action !== 'delete' || !RECURSIVE.test(api)) return [];
  // Only a path with one possible value counts: a path joined from several values is unknown.
  const [path] = operand.texts;
  if (operand.texts.length !== 1 || path === undefined) return [];
  // Deleting each entry of a listing of the root deletes the content of the root.
  const isListed = operand.origins.some(({ label, what }) => label === FILE && ROOT.test(what));
  if (
    !ROOT.test(path) &&
    !(isListed && path.endsWith(UNKNOWN) && ROOT.test(path.slice(0, -1).replace(/\/$/, '')))
  )
    return [];
  return [found(build, 'destructive', fact, { target: quote(path) })];
}

/** One constant written into every file below the root of the disk. */
function overwrites(
  { taint }: ScannedBuild,
  { action, api, path, operand, content, isLarge, args }: Fact,
): boolean {
  if (action !== 'write' || isLarge || !/^fs\.(?:writeFile|truncate)/.test(api)) return false;
  const text = args[1]?.texts[0];
  if (text === undefined || text.length > 100 || content.labels !== 0) return false;
  if ((operand.labels & FILE) === 0) return false;
  return taint.facts.some(
    (f) =>
      f.path === path &&
      /^fs\.readdir|^os\.(?:walk|listdir|scandir)$/.test(f.api) &&
      f.operand.texts.some((t) => ROOT.test(t)),
  );
}
