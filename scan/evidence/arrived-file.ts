/** The files that the code of a build downloads, by API or by command, and where their content comes from. */
import { once } from '../text/once.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import { baseOf } from '../shell/fetched-file.ts';
import type { Fact } from '../taint/fact.ts';
import { FETCHED } from '../taint/label.ts';
import { UNKNOWN } from '../taint/value.ts';
import { commandRequests } from './command-requests.ts';
import { staysLocal } from './fact-evidence.ts';

/** A file that receives downloaded content. */
export interface ArrivedFile {
  /** The file of code that writes it. */
  readonly path: string;
  /** Where it is written, unknown parts as `UNKNOWN`. */
  readonly targets: readonly string[];
  /** The constant base names of the targets. */
  readonly names: readonly string[];
  /** The requests for its content, and others of the same file of code. */
  readonly sends: readonly Fact[];
  readonly isLarge: boolean;
}

/** APIs that fetch an address into a file, which is their second argument. */
const FETCH_TO_FILE = /urlretrieve|wget\.download/;

/** Every file that the code of a build downloads. */
export const arrivedFiles = once((build: ScannedBuild): readonly ArrivedFile[] => [
  ...build.taint.facts.flatMap((fact) => writtenBy(build, fact)),
  ...commandRequests(build)
    .filter(({ fact, files }) => files.length > 0 && !staysLocal(fact))
    .map(({ fact, files }) => arrived(fact, files, [fact])),
]);

function writtenBy({ taint }: ScannedBuild, fact: Fact): ArrivedFile[] {
  const isFetch = FETCH_TO_FILE.test(fact.api);
  if (!isFetch && (fact.action !== 'write' || (fact.content.labels & FETCHED) === 0)) return [];
  const targets = isFetch ? (fact.args[1]?.texts ?? []) : fact.operand.texts;
  const sources = new Set(fact.content.origins.map(({ path }) => path));
  const sends = taint.facts.filter(
    (f) => f.action === 'send' && (f.path === fact.path || sources.has(f.path)) && !staysLocal(f),
  );
  return [arrived(fact, targets, sends)];
}

function arrived({ path, isLarge }: Fact, texts: readonly string[], sends: Fact[]): ArrivedFile {
  const targets = texts.filter((text) => text.length > 2);
  const names = targets.map(baseOf).filter((name) => name.length > 2 && !name.includes(UNKNOWN));
  return { path, targets, names, sends, isLarge };
}
