/** Code that deletes the user's data: home folders, whole drives. */
import { posix } from 'node:path';
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { FILE } from '../../taint/label.ts';
import { deepTexts } from '../../taint/value.ts';
import { commandFindings } from '../../evidence/commands.ts';
import { found, quote } from '../../evidence/fact-finding.ts';
import { isUsersData } from '../../shell/command-effects.ts';

const RECURSIVE = /^(?:fs|Deno|shelljs)\.(?:rm|remove|emptyDir)|rimraf|^del|rmtree/;

/** Also folders of the system. */
const isRoot = (path: string): boolean =>
  isUsersData(path) || /^\/(?:home|etc|usr|var|Users)\/?\*{0,2}$/.test(path);

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
  // Deleting each entry of a listing of the root deletes the content of the root.
  const isListed = operand.origins.some(({ label, what }) => label === FILE && isRoot(what));
  if (action !== 'delete' || !(isListed || RECURSIVE.test(api))) return [];
  const paths = deepTexts(operand).map((path) =>
    posix.normalize(isListed ? path.replace(/\/?\0$/, '') : path),
  );
  // A path joined from several values, of which one is no root, is unknown.
  if (paths.length === 0 || !paths.every(isRoot)) return [];
  return [found(build, 'destructive', fact, { target: quote(paths[0]!) })];
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
      f.operand.texts.some(isRoot),
  );
}
