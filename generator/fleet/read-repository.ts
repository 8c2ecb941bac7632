/**
 * Reads the locks of one repository at its newest commit, and which files of builds differ from what was installed: shallow,
 * without the contents of other files. What a repository has is hostile: nothing of it runs, and only blobs are read.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { printable } from '../../format/build/file-path.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { originOf } from '../../format/index/registry-info.ts';
import { parseLock, placedIntegrity, type Lock } from '../../format/project/lock.ts';
import { gitEnvironment } from '../git/repository.ts';
import type { FleetBuild, FleetProject, RepositoryRow } from './fleet-document.ts';
import type { Credential, FleetRepository } from './sources.ts';

const SECONDS = 300;
/** Of the list of a repository's files; one with more is not read. */
const MAX_LIST_BYTES = 100_000_000;
const MAX_LOCKS = 200;
const MAX_FILES = 5_000;
const MAX_NAMED = 20;
const MAX_BLOB_BYTES = 2_000_000;
/** Of a foundation, these are the project's to change. */
const PROJECT_FILES = [
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'requirements-dev.txt',
  '.env.example',
];
/** Folders of packages have locks of other people. */
const SKIPPED = /(?:^|\/)(?:node_modules|\.venv|vendor)\//;

/**
 * @param known what an earlier run read; it is used again where the newest commit is the same, or where the repository cannot
 *   be read now
 */
export async function readRepository(
  repository: FleetRepository,
  known: RepositoryRow | undefined,
): Promise<RepositoryRow> {
  const { address, skipped, isFolder } = repository;
  const before = known?.projects ?? [];
  if (skipped !== undefined) return { address, state: skipped, projects: [] };
  try {
    const head = await newestCommit(repository);
    if (head === undefined) return { address, state: 'empty', projects: [] };
    if (known?.state === 'read' && known.head === head && known.address === address) return known;
    const projects = isFolder
      ? await projectsAt(new Git(address, repository.credential), head)
      : await withClone(repository, (git) => projectsAt(git, 'FETCH_HEAD'));
    return { address, state: 'read', head, projects };
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const { state, message: problem } = error;
    return { address, head: known?.head, state, problem, projects: before };
  }
}

const FORBIDDEN =
  /Authentication failed|could not read Username|returned error: 40[13]|Permission denied|terminal prompts disabled/i;

class GitFailure extends Error {
  readonly state: 'forbidden' | 'huge' | 'failed';

  constructor(message: string, isLarge: boolean) {
    super(printable(message.trim().replaceAll(/\s+/g, ' ')).slice(0, 300));
    this.state = isLarge ? 'huge' : FORBIDDEN.test(message) ? 'forbidden' : 'failed';
  }
}

/** Git in one folder, with the token for one origin, without a shell and without questions. */
class Git {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #isPartial: boolean;

  /** @param isPartial whether contents are fetched on demand */
  constructor(folder: string, credential: Credential | undefined, isPartial = false) {
    this.#folder = folder;
    this.#isPartial = isPartial;
    const settings: [string, string][] = [
      ['core.hooksPath', devNull],
      ['gc.auto', '0'],
      ['maintenance.auto', 'false'],
      ['protocol.ext.allow', 'never'],
      ['safe.directory', '*'],
    ];
    if (credential !== undefined) {
      const secret = Buffer.from(`x-access-token:${credential.token}`).toString('base64');
      settings.push(
        [`http.${credential.origin}/.extraheader`, `Authorization: Basic ${secret}`],
        // With redirects, git would send the header to other hosts.
        ['http.followRedirects', 'false'],
      );
    }
    const { SSH_AUTH_SOCK, HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = process.env;
    this.#env = {
      ...gitEnvironment(),
      SSH_AUTH_SOCK,
      HTTPS_PROXY,
      HTTP_PROXY,
      NO_PROXY,
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], at) => [
          [`GIT_CONFIG_KEY_${at}`, key],
          [`GIT_CONFIG_VALUE_${at}`, value],
        ]),
      ),
    };
  }

  /** The output of git. @throws {GitFailure} */
  run(args: readonly string[], input = ''): Promise<Buffer> {
    const limits = { timeout: SECONDS * 1000, maxBuffer: MAX_LIST_BYTES };
    const options = { cwd: this.#folder, env: this.#env, encoding: 'buffer', ...limits } as const;
    return new Promise((resolve, reject) => {
      const child = execFile('git', args, options, (error, output, errors) => {
        if (error === null) return resolve(output);
        const isLarge = error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
        const stated =
          errors.toString() || (error.killed === true ? 'no end in time' : error.message);
        reject(new GitFailure(stated, isLarge));
      });
      // One that ended before it read everything is known by its status.
      child.stdin?.on('error', () => {}).end(input);
    });
  }

  /** Fetches all of them at once; otherwise git fetches each by itself. */
  async prefetch(names: string): Promise<void> {
    if (!this.#isPartial) return;
    const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none'];
    const alone = ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', 'origin', ...options];
    await this.run([...alone, '--recurse-submodules=no', '--stdin'], names);
  }
}

async function newestCommit(repository: FleetRepository): Promise<string | undefined> {
  const { address, credential, isFolder } = repository;
  const git = new Git(isFolder ? address : tmpdir(), credential);
  const place = isFolder ? '.' : address;
  const answer = await git.run(['ls-remote', '--quiet', '--end-of-options', place, 'HEAD']);
  return /^[0-9a-f]{40,64}/.exec(answer.toString('latin1'))?.[0];
}

/** A repository in a temporary folder that fetches contents on demand. */
async function withClone<Result>(
  { address, credential }: FleetRepository,
  read: (git: Git) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-fleet-'));
  try {
    for (const path of ['objects', 'refs']) mkdirSync(join(folder, path));
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(folder, 'config'),
      `[core]
	repositoryformatversion = 1
	bare = true
[extensions]
	partialClone = origin
[remote "origin"]
	url = ${JSON.stringify(address)}
	promisor = true
	partialclonefilter = blob:none
`,
    );
    const git = new Git(folder, credential, true);
    await git.run(['fetch', '--quiet', '--depth=1', '--no-tags', 'origin', 'HEAD']);
    return await read(git);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function projectsAt(git: Git, commit: string): Promise<FleetProject[]> {
  const listing = await git.run(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const blobs = new Map<string, string>();
  for (const row of listing.toString('utf8').split('\0')) {
    const [, oid, path] = /^100(?:644|755) blob ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
    if (oid !== undefined && path !== undefined) blobs.set(path, oid);
  }
  const locks = [...blobs.keys()].filter(
    (path) => posix.basename(path) === LOCK_FILE && !SKIPPED.test(path),
  );
  const projects: FleetProject[] = [];
  for (const path of locks.sort().slice(0, MAX_LOCKS)) {
    const folder = dirname(path) === '.' ? '' : dirname(path);
    projects.push(await projectAt(git, folder, path, blobs));
  }
  return projects;
}

async function projectAt(
  git: Git,
  folder: string,
  path: string,
  blobs: ReadonlyMap<string, string>,
): Promise<FleetProject> {
  const place = { path: folder };
  const bytes = (await contentsOf(git, [blobs.get(path)!], MAX_DOCUMENT_BYTES)).values().next();
  if (bytes.value === undefined) return { ...place, problem: 'the lock is too large', builds: {} };
  let lock: Lock;
  try {
    lock = parseLock(bytes.value, `"${path}"`);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { ...place, problem: printable(error.message).slice(0, 300), builds: {} };
  }
  const inside = (file: string): string => (folder === '' ? file : `${folder}/${file}`);
  const files = Object.values(lock.builds)
    .flatMap((build) => Object.keys(build.files))
    .slice(0, MAX_FILES);
  const oids = files.flatMap((file) => blobs.get(inside(file)) ?? []);
  const contents = await contentsOf(git, oids, MAX_BLOB_BYTES);
  const wired = Object.values(lock.builds).flatMap(({ wiring = [] }) => wiring);
  const differs = (build: Lock['builds'][string], file: string): boolean => {
    const oid = blobs.get(inside(file));
    if (oid === undefined) return true;
    const content = contents.get(oid);
    // Too large, or beyond the limit: nothing is known of it.
    if (content === undefined) return false;
    if (build.kind === 'foundation' && PROJECT_FILES.includes(file)) return false;
    const wanted = placedIntegrity(build, file);
    if (integrityOf(content) === wanted) return false;
    let text = content.toString('utf8').replaceAll('\r\n', '\n');
    for (const entry of wired) if (entry.file === file) text = text.replace(entry.text, () => '');
    return integrityOf(Buffer.from(text)) !== wanted;
  };
  const builds = Object.entries(lock.builds).map(([id, build]): [string, FleetBuild] => {
    const { address, origin = originOf(address) } = lock.registries[build.registry]!;
    const edited = Object.keys(build.files).filter((file) => differs(build, file));
    const ignored = Object.entries(lock.ignored ?? {}).flatMap(([advisory, { builds: of }]) =>
      of.includes(id) ? [advisory] : [],
    );
    const { version, kind, license, integrity, requested, source, base } = build;
    const known = { version, kind, license, integrity, origin, base, requested, source, ignored };
    const requires = Object.keys(build.builds).sort();
    const edits = edited.length;
    return [id, { ...known, requires, edits, edited: edited.slice(0, MAX_NAMED) }];
  });
  const proof = lock.proof === undefined ? 'none' : lock.proof.is_good ? 'good' : 'failed';
  return { ...place, proof, builds: Object.fromEntries(builds) };
}

/** The contents of blobs by their ids; one that is larger than `most` is left out. */
async function contentsOf(
  git: Git,
  oids: readonly string[],
  most: number,
): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(oids)];
  const found = new Map<string, Buffer>();
  if (wanted.length === 0) return found;
  const names = `${wanted.join('\n')}\n`;
  await git.prefetch(names);
  const sizes = (await git.run(['cat-file', '--batch-check'], names)).toString('latin1');
  const readable = sizes.split('\n').flatMap((line) => {
    const [oid = '', type, size] = line.split(' ');
    return type === 'blob' && Number(size) <= most ? [oid] : [];
  });
  if (readable.length === 0) return found;
  const output = await git.run(['cat-file', '--batch'], `${readable.join('\n')}\n`);
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [oid = '', , size] = output.toString('latin1', at, end).split(' ');
    found.set(oid, output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return found;
}
