/**
 * A repository whose newest commit is the working tree of another one, so that an index can be made from files that are
 * not committed. It borrows the objects of the other, which stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inc, valid } from 'semver';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import {
  BUILDS_FOLDER,
  CONFIG_FILE,
  SIGNALS_FOLDER,
  buildFolder,
  placeAt,
} from '../../format/registry/repository-layout.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import { layoutOf } from '../config.ts';
import { GeneratorError } from '../errors.ts';

/** What the generator reads of a repository. */
export function readPaths(root: string): string[] {
  return [`${root}${BUILDS_FOLDER}`, `${root}${SIGNALS_FOLDER}`, CONFIG_FILE];
}
const VERSION = /("version"\s*:\s*")([^"]*)(")/;

/** A build as the newest commit has it. */
interface Shown {
  readonly version: string | undefined;
  /** Of its files without the version that is shown. */
  readonly content: string;
}

export class WorkingCopy {
  /** Give this to the generator. */
  readonly folder: string;
  readonly #source: string;
  readonly #shown = new Map<string, Shown>();
  #head: string;

  /** @param folder which does not exist */
  constructor(source: string, folder: string) {
    this.#source = git(source, ['rev-parse', '--show-toplevel']);
    this.folder = folder;
    git(source, ['clone', '-q', '--shared', '--no-checkout', this.#source, folder]);
    this.#head = this.#git(['rev-parse', 'HEAD']);
  }

  /**
   * Commits the working tree. A published version never changes: files that differ from those of their version are shown
   * as its next patch, as they could be published.
   * @returns the builds that differ from the last commit, each with the version that is shown
   */
  update(): readonly string[] {
    const present = readPaths(layoutOf(this.#source).root).filter(
      (path) => existsSync(join(this.#source, path)) || this.#exists(`${this.#head}:${path}`),
    );
    this.#git(['read-tree', this.#head]);
    this.#git(['add', '-A', '--', ...present]);
    const shown = this.#changedBuilds().flatMap((build) => this.#prepare(build));
    const tree = this.#git(['write-tree']);
    if (tree === this.#git(['rev-parse', `${this.#head}^{tree}`])) return [];
    const message = ['-p', this.#head, '-m', 'The working tree'];
    this.#head = this.#git(['commit-tree', tree, ...message]);
    this.#git(['update-ref', 'HEAD', this.#head]);
    return shown;
  }

  /** Folders of builds with staged changes. */
  #changedBuilds(): string[] {
    const changed = this.#git(['diff-index', '--cached', '--name-only', '-z', this.#head]);
    const layout = layoutOf(this.#source);
    const builds = changed.split('\0').flatMap((path) => {
      const place = placeAt(path, layout);
      if (place.kind !== 'build') return [];
      const folder = buildFolder(`${place.owner}/${place.name}`, layout);
      return existsSync(join(this.#source, folder, MANIFEST_FILE)) ? [folder] : [];
    });
    return [...new Set(builds)];
  }

  /** Stages the manifest with the version to show. */
  #prepare(folder: string): string[] {
    const path = `${folder}/${MANIFEST_FILE}`;
    const id = folder.split('/').slice(-2).join('/');
    const text = readFileSync(join(this.#source, path), 'utf8');
    const own = VERSION.exec(text)?.[2];
    const content = this.#git(['ls-files', '-s', '--', folder]);
    const before = this.#shown.get(id) ?? { version: this.#versionOf(path), content: '' };
    const isSame = before.content === content;
    const version = isSame ? before.version : nextVersion(own, before.version);
    this.#shown.set(id, { version, content });
    if (version !== undefined && version !== own) {
      const changed = text.replace(VERSION, (_, start, __, end) => `${start}${version}${end}`);
      const blob = this.#git(['hash-object', '-w', '--stdin'], changed);
      this.#git(['update-index', '--cacheinfo', `100644,${blob},${path}`]);
    }
    return isSame ? [] : [`${id} ${version ?? ''}`.trim()];
  }

  #versionOf(path: string): string | undefined {
    const name = `${this.#head}:${path}`;
    return this.#exists(name) ? VERSION.exec(this.#git(['show', name]))?.[2] : undefined;
  }

  #exists(name: string): boolean {
    try {
      this.#git(['cat-file', '-e', name]);
      return true;
    } catch {
      return false;
    }
  }

  #git(args: readonly string[], input?: string): string {
    const places = { GIT_DIR: join(this.folder, '.git'), GIT_WORK_TREE: this.#source };
    return git(this.#source, args, input, places);
  }
}

/** The version of the files themselves, when it is newer than what was shown. */
function nextVersion(own: string | undefined, before: string | undefined): string | undefined {
  // A version that is none is a finding of the generator.
  if (own === undefined || before === undefined) return own;
  if (valid(own) === null || valid(before) === null) return own;
  return compareVersions(own, before) > 0 ? own : (inc(before, 'patch') ?? own);
}

function git(
  cwd: string,
  args: readonly string[],
  input?: string,
  variables: Readonly<Record<string, string | undefined>> = {
    GIT_DIR: undefined,
    GIT_WORK_TREE: undefined,
  },
): string {
  const identity = {
    GIT_AUTHOR_NAME: 'dev',
    GIT_AUTHOR_EMAIL: 'dev@localhost',
    GIT_COMMITTER_NAME: 'dev',
    GIT_COMMITTER_EMAIL: 'dev@localhost',
  };
  try {
    return execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 100_000_000,
      ...(input === undefined ? {} : { input }),
      // A hook of git sets places of its own.
      env: { ...process.env, GIT_INDEX_FILE: undefined, ...identity, ...variables },
    }).trimEnd();
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    throw new GeneratorError('ERR_GIT', `git ${args[0]} failed: ${stderr.trim().split('\n')[0]}`, {
      cause,
    });
  }
}
