/** Makes a repository of builds with `git fast-import`; the same options give the same repository. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';

interface MadeRepository {
  readonly builds: number;
  readonly versions: number;
  /** Files per build, without manifest, README and LICENSE. */
  readonly files: number;
}

/** The file `owner.json`. */
export const OWNER = JSON.stringify({ account_id: 1, maintainers: [] });

const START_SECONDS = 1_577_836_800; // 2020-01-01T00:00:00Z: no publication is in the future

/** Publishes every version of every build, one commit each, version by version. */
export async function makeRepository(folder: string, size: MadeRepository): Promise<void> {
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  const git = spawn('git', ['fast-import', '--quiet'], {
    cwd: folder,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  let commit = 0;
  for (let version = 0; version < size.versions; version += 1) {
    for (let build = 0; build < size.builds; build += 1) {
      const text = commitText(build, version, size.files, (commit += 1));
      if (!git.stdin.write(text)) await once(git.stdin, 'drain');
    }
  }
  git.stdin.end();
  await once(git, 'close');
}

/**
 * Adds one publication, which an incremental run then processes.
 * @param commit its minute in the history; by default years after the others, when owners are older
 */
export async function publishOne(
  folder: string,
  build: number,
  version: number,
  files: number,
  commit = 1_000_000 + version,
): Promise<void> {
  const git = spawn('git', ['fast-import', '--quiet'], {
    cwd: folder,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  git.stdin.end(commitText(build, version, files, commit, 'refs/heads/main^0'));
  await once(git, 'close');
}

/** Makes a repository of the files in a folder. */
export function commitFiles(folder: string): void {
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org'];
  const git = (...args: string[]): Buffer =>
    execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Publish builds');
}

function commitText(
  build: number,
  version: number,
  files: number,
  commit: number,
  from?: string,
): string {
  const id = { owner: `owner-${Math.floor(build / 4)}`, name: `build-${build}` };
  const folder = `builds/${id.owner}/${id.name}`;
  const contents: [string, string][] = [
    [`${folder}/stackyard.json`, manifest(id.name, version)],
    [`${folder}/README.md`, `# ${id.name}\n\n${words(build * 31 + version, 150)}\n`],
    [`${folder}/LICENSE`, `MIT License\n\n${words(1, 160)}\n`],
  ];
  for (let file = 0; file < files - 3; file += 1) {
    contents.push([`${folder}/src/part-${file}.ts`, source(build, version, file)]);
  }
  const message = `Publish ${id.owner}/${id.name} 1.${version}.0`;
  const head = commitHead(commit);
  const parent = from === undefined ? '' : `from ${from}\n`;
  return `${head}${data(message)}${parent}${contents
    .map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`)
    .join('')}\n`;
}

/** @param minute of the history */
function commitHead(minute: number): string {
  return `commit refs/heads/main\ncommitter Bench <bench@example.org> ${START_SECONDS + minute * 60} +0000\n`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function manifest(name: string, version: number): string {
  const value = {
    name,
    version: `1.${version}.0`,
    kind: 'module',
    description: `A made build for measuring, ${name}`,
    license: 'MIT',
    keywords: ['bench', 'made'],
    stack: { requires: { typescript: '*' }, provides: [name] },
    dependencies: { npm: { zod: '^4.0.0' } },
    base: `src/${name}`,
    env: { BENCH_KEY: { description: 'A key', required: true } },
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function source(build: number, version: number, file: number): string {
  const lines: string[] = [];
  for (let line = 0; line < 60; line += 1) {
    const seed = build * 7919 + file * 104_729 + line * 13 + (line % 7 === 0 ? version : 0);
    lines.push(
      `export const value${line} = '${words(seed, 5)}'; // ${(seed * 2_654_435_761) % 4_294_967_296}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const WORDS =
  'build record head index tarball version range stack tag module owner plan lock install verify digest path file glob check'.split(
    ' ',
  );

/** `count` words drawn by a small linear congruential generator. */
function words(seed: number, count: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  const drawn: string[] = [];
  for (let at = 0; at < count; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    drawn.push(WORDS[state % WORDS.length] ?? '');
  }
  return drawn.join(' ');
}
