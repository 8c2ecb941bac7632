/**
 * Updates from each published version of a build to the newest, in projects whose fixers ran over everything: how many conflicts without an edit,
 * and with 200 lines that a script adds in random places, which of these are lost, and which conflicts `git merge-file` has as well.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECTS, type RealProject } from './projects.ts';
import {
  commitAll,
  prepare,
  run,
  stackyard,
  type Places,
  type Row,
  type Workplace,
} from './trial.ts';

/** What is kept of one update, as JSON. */
export interface UpdateTrial {
  readonly project: string;
  readonly build: string;
  readonly from: string;
  readonly to: string;
  /** Conflicts of an update without an edit. */
  readonly clean: number;
  readonly edits: number;
  readonly lost: number;
  /** Files with a conflict after edits: those in which git finds one as well, and the others. */
  readonly honest: number;
  readonly faults: readonly string[];
}

interface Made {
  readonly name: string;
  /** A foundation, from which the project is made. */
  readonly build: string;
  readonly packages: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly fix: readonly string[];
}

const PRETTIER = {
  packages: ['prettier'],
  fix: ['node node_modules/prettier/bin/prettier.cjs --write . --log-level error'],
};
const BIOME = {
  packages: ['@biomejs'],
  fix: ['node_modules/@biomejs/biome/bin/biome check --write --reporter=summary .'],
};
const PYTHON = { packages: [], build: 'stackyard/fastapi-api' };

const MADE: readonly Made[] = [
  {
    name: 'express-api with prettier',
    build: 'stackyard/express-api',
    ...PRETTIER,
    settings: { '.prettierrc': '{ "semi": false, "printWidth": 100 }\n' },
  },
  {
    name: 'express-api with Biome',
    build: 'stackyard/express-api',
    ...BIOME,
    settings: { 'biome.json': '{}\n' },
  },
  {
    name: 'hono-api with prettier',
    build: 'stackyard/hono-api',
    ...PRETTIER,
    settings: { '.prettierrc': '{ "singleQuote": false, "tabWidth": 4 }\n' },
  },
  {
    name: 'fastapi-api with ruff',
    ...PYTHON,
    settings: { 'ruff.toml': 'line-length = 79\n[lint]\nselect = ["E", "F", "I", "UP"]\n' },
    fix: ['.venv/bin/ruff check --fix --exit-zero --quiet .', '.venv/bin/ruff format --quiet .'],
  },
  {
    name: 'fastapi-api with black',
    ...PYTHON,
    settings: { '.black.toml': '' },
    fix: ['.venv/bin/black --quiet .'],
  },
];

const EDITS = 200;
const SOURCE = /\.(?:[cm]?[jt]s|py)$/;
const COMMENT = { js: '// mine', py: '# mine' };

/** The names of all projects that `tryUpdates` knows. */
export const UPDATED: readonly string[] = [
  ...PROJECTS.filter(({ fix }) => fix !== undefined).map(({ repository }) => repository),
  ...MADE.map(({ name }) => name),
];

export function tryUpdates(
  name: string,
  places: Places,
  place: Workplace,
  index: string,
  only?: readonly string[],
): UpdateTrial[] {
  const real = PROJECTS.find(({ repository }) => repository === name);
  const made = MADE.find((one) => one.name === name);
  const build = real?.build ?? made!.build;
  const versions = versionsOf(index, build);
  const newest = versions.at(-1)!;
  const rows: Row[] = [];
  const root = real === undefined ? '' : prepare(real, places, place, rows);
  return versions.slice(0, -1).flatMap((from) => {
    if (only !== undefined && !only.includes(from)) return [];
    const project =
      real === undefined ? makeProject(made!, from, places, place) : addTo(real, root, from, place);
    if (project === undefined) return [];
    const trial = updateTwice(
      project,
      real?.options ?? [],
      build,
      from,
      newest,
      (real ?? made!).fix!,
      place,
    );
    const kept = { project: name, build, from, to: newest, ...trial };
    console.log(JSON.stringify(kept));
    return [kept];
  });
}

function versionsOf(index: string, build: string): string[] {
  const head = JSON.parse(readFileSync(join(index, 'heads', `${build}.json`), 'utf8')) as {
    readonly versions: readonly { readonly version: string }[];
  };
  return head.versions
    .map(({ version }) => version)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

function addTo(
  real: RealProject,
  root: string,
  version: string,
  place: Workplace,
): string | undefined {
  reset(place, root, 'HEAD');
  const cwd = join(root, real.folder ?? '.');
  const added = stackyard(
    place,
    cwd,
    [
      'add',
      `${real.build}@${version}`,
      ...(real.options ?? []),
      '--yes',
      '--allow',
      'all',
      '--no-install',
      '--no-prove',
      '--style=shipped',
    ],
    [],
  );
  if (added.status === 0) return cwd;
  console.log(`${real.repository}: ${version}: ${added.error?.message}`);
  return undefined;
}

function makeProject(
  { build, packages, settings, name }: Made,
  version: string,
  { tools }: Places,
  place: Workplace,
): string {
  const folder = join(mkdtempSync(join(place.folder, 'made-')), 'app');
  stackyard(
    place,
    dirname(folder),
    ['new', `${build}@${version}`, folder, '--yes', '--allow', 'all', '--no-install', '--no-prove'],
    [],
  );
  if (!existsSync(folder)) throw new Error(`${name}: ${build}@${version} was not made`);
  for (const one of packages)
    cpSync(join(tools, 'fixers/node_modules', one), join(folder, 'node_modules', one), {
      recursive: true,
    });
  if (packages.length === 0) symlinkSync(join(tools, 'py'), join(folder, '.venv'));
  for (const [file, text] of Object.entries(settings)) writeFileSync(join(folder, file), text);
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) {
    const read = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, object>;
    const declared = Object.fromEntries(
      packages.map((one) => [one === '@biomejs' ? '@biomejs/biome' : one, '*']),
    );
    read['devDependencies'] = { ...read['devDependencies'], ...declared };
    writeFileSync(manifest, `${JSON.stringify(read, null, 2)}\n`);
  }
  run(place, folder, ['git', 'init', '--quiet']);
  const ignored = join(folder, '.gitignore');
  writeFileSync(
    ignored,
    `${existsSync(ignored) ? readFileSync(ignored, 'utf8') : ''}\nnode_modules\n.venv\n`,
  );
  return folder;
}

function reset(place: Workplace, folder: string, to: string): void {
  run(place, folder, ['git', 'reset', '--quiet', '--hard', to]);
  run(place, folder, ['git', 'clean', '--quiet', '-fd']);
}

function updateTwice(
  cwd: string,
  options: readonly string[],
  build: string,
  from: string,
  to: string,
  fix: readonly string[],
  place: Workplace,
): Omit<UpdateTrial, 'project' | 'build' | 'from' | 'to'> {
  const start = run(place, cwd, ['git', 'rev-parse', 'HEAD']).stdout.trim();
  for (const command of fix) run(place, cwd, command.split(' '));
  commitAll(place, cwd);
  const fixed = run(place, cwd, ['git', 'rev-parse', 'HEAD']).stdout.trim();
  const update = (): readonly string[] => {
    const words = [
      'update',
      `${build}@${to}`,
      ...options,
      '--yes',
      '--allow',
      'all',
      '--no-install',
      '--no-prove',
      '--style=project',
      '--conflict',
      'markers',
    ];
    const ended = stackyard(place, cwd, words, []);
    const marked = run(place, cwd, ['git', 'grep', '--untracked', '-lE', '^(<<<<<<<|>>>>>>>) '])
      .stdout.split('\n')
      .filter((line) => line !== '');
    if (![0, 5, 6].includes(ended.status ?? -1) && marked.length === 0)
      throw new Error(
        `${build} ${from}: update ended with ${ended.status}: ${ended.error?.message}`,
      );
    return marked;
  };
  const before = filesOfBuilds(cwd);
  const clean = update();
  const listed = run(place, cwd, ['git', 'ls-files', '-co', '--exclude-standard']).stdout.split(
    '\n',
  );
  const updated = new Map(
    listed.flatMap((path) =>
      SOURCE.test(path) && existsSync(join(cwd, path))
        ? [[path, readFileSync(join(cwd, path), 'utf8')] as const]
        : [],
    ),
  );
  reset(place, cwd, fixed);
  const edits = edit(cwd, before, `${build}@${from}`);
  const marked = update();
  const kept = run(place, cwd, ['git', 'grep', '--untracked', '-ohE', 'mine-[0-9]+']).stdout;
  const found = new Set(kept.split('\n'));
  const lost = edits.filter(({ mark }) => !found.has(mark));
  const faults = marked.filter((path) => {
    // A file that the new version renames is found by what was added to it.
    const text = readFileSync(join(cwd, path), 'utf8');
    const one =
      edits.find((each) => each.path === path) ??
      edits.find(({ mark }) => text.includes(`${mark}\n`));
    return one === undefined || !isInGit(one.text, before.get(one.path), updated.get(path));
  });
  if (start !== '') reset(place, cwd, start);
  return {
    clean: clean.length,
    edits: edits.length,
    lost: lost.length,
    honest: marked.length - faults.length,
    faults,
  };
}

/** The source files of installed builds with their text, sorted by path. */
function filesOfBuilds(cwd: string): Map<string, string> {
  const lock = JSON.parse(readFileSync(join(cwd, 'stackyard.lock.json'), 'utf8')) as {
    readonly builds: Readonly<Record<string, { readonly files: object }>>;
  };
  const paths = Object.values(lock.builds).flatMap(({ files }) => Object.keys(files));
  const sources = paths.filter((path) => SOURCE.test(path) && existsSync(join(cwd, path)));
  return new Map(sources.sort().map((path) => [path, readFileSync(join(cwd, path), 'utf8')]));
}

interface Edit {
  readonly path: string;
  readonly mark: string;
  readonly text: string;
}

/** Adds lines in random places, the same in each run; returns the last text of each file with each mark. */
function edit(cwd: string, files: ReadonlyMap<string, string>, seed: string): Edit[] {
  let state = Buffer.from(seed).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7);
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const all = [...files]
    .map(([path, text]) => ({ path, lines: text.split('\n') }))
    .filter(({ lines }) => lines.length > 3);
  const sizes = all.reduce((sum, { lines }) => sum + lines.length, 0);
  const marks: { path: string; mark: string }[] = [];
  for (let count = 0; count < EDITS; count += 1) {
    let at = random(sizes);
    const file = all.find(({ lines }) => (at -= lines.length) < 0) ?? all[0]!;
    const mark = `mine-${count}`;
    const line = random(file.lines.length - 1);
    const indent = /^\s*/.exec(file.lines[line]!)![0];
    file.lines.splice(
      line,
      0,
      `${indent}${file.path.endsWith('.py') ? COMMENT.py : COMMENT.js}: ${mark}`,
    );
    marks.push({ path: file.path, mark });
  }
  for (const { path, lines } of all) writeFileSync(join(cwd, path), lines.join('\n'));
  return marks.map((one) => ({ ...one, text: readFileSync(join(cwd, one.path), 'utf8') }));
}

/** Whether git finds a conflict too between the edited text and the new one; a file that the new version has not is one. */
function isInGit(mine: string, base: string | undefined, updated: string | undefined): boolean {
  if (base === undefined) return false;
  if (updated === undefined) return true;
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-merge-'));
  try {
    mkdirSync(folder, { recursive: true });
    const paths = Object.entries({ mine, base, updated }).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    return (
      (spawnSync('git', ['merge-file', '-p', '--quiet', ...paths], { stdio: 'ignore' }).status ??
        0) !== 0
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
