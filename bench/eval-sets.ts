/**
 * The sets that the checks are measured with, in addition to those of the repository: drawn by a seed from public repositories at fixed
 * commits. The first draw was split into one for developing and one that was opened once; each later one has repositories and
 * packages that no earlier one has, and is opened once as well. `bench/eval-sets.json` notes the draws.
 *
 *     node bench/eval-sets.ts draw <folder of git directories: owner+name/repo>
 *
 * A case is a package of a collection of malware, or a folder of a repository of others. Nothing of it is run: git and tar
 * only unpack.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EvalSets {
  readonly seed: string;
  readonly date: string;
  /** Collections of malware: `<package>/<version>/<archive>`. */
  readonly malicious: Source;
  /** Packages that were seen before the draw: they are in no set. */
  readonly seen: readonly string[];
  readonly benign: { readonly developing: readonly Source[]; readonly opened: readonly Source[] };
  readonly second: LaterDraw;
  readonly third: LaterDraw;
  readonly fourth: LaterDraw;
  /** Cases and the digest of their git objects, in order. */
  readonly drawn: Readonly<Record<string, { readonly cases: number; readonly digest: string }>>;
}

interface LaterDraw {
  readonly seed: string;
  readonly date: string;
  /** Beside the collection of PyPI, of which it has others, small ones: packages of npm, folders with a project each, or whole repositories. */
  readonly malicious: readonly Source[];
  readonly benign: readonly Source[];
}

interface Source {
  /** `<owner>/<name>` on github.com. */
  readonly from: string;
  readonly commit: string;
}

export interface EvalCase extends Source {
  readonly name: string;
  readonly path: string;
  /** Of git: the digest of the content. */
  readonly object: string;
  readonly isMalicious: boolean;
}

export type SetName = 'developing' | 'opened' | 'second' | 'third' | 'fourth';

const NOTED = join(import.meta.dirname, 'eval-sets.json');
const MALICIOUS = 300;
/** Folders of one repository, in addition to the repository itself. */
const FOLDERS = 20;
/** What makes a folder one that someone could publish as a build. */
const HEADS =
  /^(.*)\/(?:package\.json|pyproject\.toml|setup\.py|SKILL\.md|action\.yml|Dockerfile)$/;

export function notedSets(): EvalSets {
  return JSON.parse(readFileSync(NOTED, 'utf8')) as EvalSets;
}

/** The cases of a set, as the seed draws them. */
export function drawSet(sets: EvalSets, set: SetName, mirrors: string): EvalCase[] {
  const first = rankOf(sets.seed);
  const later = set === 'developing' || set === 'opened' ? undefined : sets[set];
  const rank = later === undefined ? first : rankOf(later.seed);
  const archives = list(mirrors, sets.malicious).filter(({ path }) =>
    /^[^/]+\/[^/]+\/[^/]+\.(?:tar\.gz|zip|whl)$/.test(path),
  );
  const objects = new Set<string>();
  const packages = new Map<string, EvalCase>();
  for (const { path, object } of archives.toSorted((x, y) =>
    compare(first(x.path), first(y.path)),
  )) {
    const name = path.split('/', 1)[0]!;
    if (packages.has(name) || objects.has(object) || sets.seen.includes(name)) continue;
    objects.add(object);
    packages.set(name, { ...sets.malicious, name, path, object, isMalicious: true });
  }
  const sorted = byRank([...packages.values()], first);
  const rest = byRank(sorted.slice(2 * MALICIOUS), rankOf(sets.second.seed));
  const left = byRank(rest.slice(MALICIOUS), rankOf(sets.third.seed));
  const drawn = {
    opened: sorted.slice(0, MALICIOUS),
    developing: sorted.slice(MALICIOUS, 2 * MALICIOUS),
    second: rest.slice(0, MALICIOUS),
    third: left.slice(0, MALICIOUS),
    fourth: byRank(left.slice(MALICIOUS), rank).slice(0, MALICIOUS),
  };
  const folder = (source: Source, path: string, isMalicious: boolean): EvalCase => {
    const object = git(mirrors, source, 'rev-parse', `${source.commit}:${path}`).trim();
    return { ...source, name: [source.from, path].join(' ').trim(), path, object, isMalicious };
  };
  const others = (later?.malicious ?? []).flatMap((one) => [
    ...npmCases(mirrors, one, rank),
    ...(set === 'third' ? projectCases(mirrors, one) : []),
    ...(set === 'fourth' ? [folder(one, '', true)] : []),
  ]);
  const benign = (later?.benign ?? sets.benign[set as 'opened']).flatMap((source) => {
    const rows = list(mirrors, source);
    const folders = new Set(rows.flatMap(({ path }) => HEADS.exec(path)?.[1] ?? []));
    const chosen = [...folders].toSorted((a, b) => compare(rank(a), rank(b))).slice(0, FOLDERS);
    return ['', ...chosen].map((path) => folder(source, path, false));
  });
  return [...drawn[set], ...others, ...benign];
}

function rankOf(seed: string): (name: string) => string {
  return (name) => digestOf(`${seed}:${name}`);
}

function byRank(cases: readonly EvalCase[], rank: (name: string) => string): EvalCase[] {
  return cases.toSorted((x, y) => compare(rank(x.name), rank(y.name)));
}

/** Each folder at the top. */
function projectCases(mirrors: string, source: Source): EvalCase[] {
  const rows = git(mirrors, source, 'ls-tree', '-d', '-z', source.commit).split('\0');
  return rows.flatMap((row) => {
    const [, object, path] = /^\d+ tree (\w+)\t(.*)$/s.exec(row) ?? [];
    return path === undefined
      ? []
      : [{ ...source, name: path, path, object: object!, isMalicious: true }];
  });
}

/** One version of each package of npm. */
function npmCases(mirrors: string, source: Source, rank: (name: string) => string): EvalCase[] {
  const rows = list(mirrors, source).flatMap(({ path, object }) => {
    // The registry puts a package without content where it took one away.
    const isArchive = path.endsWith('.tgz') && !path.includes('security');
    return isArchive ? [{ name: path.split('/', 1)[0]!, path, object }] : [];
  });
  const chosen = new Map(
    rows.toSorted((a, b) => compare(rank(b.path), rank(a.path))).map((one) => [one.name, one]),
  );
  return [...chosen.values()].map((one) => ({ ...source, ...one, isMalicious: true }));
}

/** The folder with the files of a case, unpacked once; without files when the copy of the collection is without the archive. */
export function unpackCase(one: EvalCase, mirrors: string, cache: string): string {
  const folder = join(cache, one.object);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const gitFolder = join(mirrors, one.from.replace('/', '+'), 'repo');
  // A copy of a repository may be without its largest files.
  const isArchive = /\.(?:tar\.gz|tgz|zip|whl)$/.test(one.path);
  const missing = isArchive
    ? []
    : git(mirrors, one, 'rev-list', '--objects', '--missing=print', one.object)
        .split('\n')
        .flatMap((line) => /^\?(\w+)/.exec(line)?.[1] ?? []);
  const left = missing.length === 0 ? [] : list(mirrors, { ...one, commit: one.object });
  const args = isArchive
    ? ['cat-file', 'blob', one.object]
    : [
        'archive',
        '--prefix=case/',
        one.object,
        '--',
        '.',
        ...left
          .filter(({ object }) => missing.includes(object))
          .map(({ path }) => `:(exclude,literal)${path}`),
      ];
  const options = {
    maxBuffer: 2e9,
    stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'],
  };
  let bytes: Buffer;
  try {
    bytes = execFileSync('git', ['-C', gitFolder, ...args], options);
  } catch {
    renameSync(part, folder);
    return folder;
  }
  const archive = `${folder}.archive`;
  writeFileSync(archive, bytes);
  const isZip = bytes.subarray(0, 2).toString() === 'PK';
  try {
    if (isZip) execFileSync('python3', ['-m', 'zipfile', '-e', archive, part], options);
    else
      execFileSync(
        'tar',
        ['-xf', archive, '-C', part, '--no-same-owner', '--no-same-permissions'],
        options,
      );
  } catch {
    // A broken archive: what could be unpacked is the case.
  }
  execFileSync('chmod', ['-R', 'u+rwX', part]);
  rmSync(archive);
  renameSync(part, folder);
  return folder;
}

export function checkDraw(sets: EvalSets, set: SetName, cases: readonly EvalCase[]): void {
  if (sets.drawn[set]?.digest !== digestOfCases(cases))
    throw new Error(`The ${set} set is not the one that ${NOTED} notes`);
}

function digestOfCases(cases: readonly EvalCase[]): string {
  return digestOf(cases.map(({ object }) => object).join('\n'));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function git(mirrors: string, { from }: Source, ...args: string[]): string {
  const folder = join(mirrors, from.replace('/', '+'), 'repo');
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
}

function list(mirrors: string, source: Source): { path: string; object: string }[] {
  const rows = git(mirrors, source, 'ls-tree', '-r', '-z', source.commit).split('\0');
  return rows.flatMap((row) => {
    const [, object, path] = /^\d+ blob (\w+)\t(.*)$/s.exec(row) ?? [];
    return path === undefined ? [] : [{ path, object: object! }];
  });
}

if (import.meta.main) {
  const sets = notedSets();
  const mirrors = process.argv[3] ?? '';
  const drawn = Object.fromEntries(
    (['developing', 'opened', 'second', 'third', 'fourth'] as const).map((set) => {
      const cases = drawSet(sets, set, mirrors);
      return [set, { cases: cases.length, digest: digestOfCases(cases) }];
    }),
  );
  writeFileSync(NOTED, `${JSON.stringify({ ...sets, drawn }, null, 2)}\n`);
}
