/**
 * Formatting is not an edit: real formatters, with their defaults, over whole projects with all of our builds, then
 * `verify`, an update from the previous versions, and `remove`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BEFORE_MODULES, ourIndex } from '../foundations/our-registry.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { provideNodeFormatters } from '../run/provide-formatters.ts';
import { readProject, serveFolder, stackyard } from './registry-fixture.ts';

interface Verified {
  readonly differences: readonly { readonly path: string }[];
  readonly reformatted?: readonly { readonly path: string }[];
}

interface UpdatedPlan {
  readonly builds: readonly { readonly id: string; readonly from?: string }[];
  readonly files: readonly { readonly path: string; readonly action: string }[];
}

/** A project with builds at versions before the newest, as the client of today installs them. */
class FormattedProject {
  readonly folder = join(temporaryFolder(), 'app');
  readonly #url: string;
  readonly #format: () => void;

  constructor(url: string, format: (folder: string) => void) {
    this.#url = url;
    this.#format = () => format(this.folder);
  }

  /** Runs the client, which has to succeed; returns the data of its output. */
  async run<Data>(...words: string[]): Promise<Data> {
    const place = words[0] === 'new' ? [] : ['-C', this.folder];
    const ended = await stackyard([...words, ...place, '--json', '--registry', this.#url], {
      STACKYARD_CACHE: join(this.folder, '../cache'),
    });
    // 10: some files differ, which the caller looks at.
    if (ended.status !== 0 && !(words[0] === 'verify' && ended.status === 10))
      throw new Error(`status ${ended.status}: ${ended.stdout}`);
    return (JSON.parse(ended.stdout) as { data: Data }).data;
  }

  /** Runs the formatter over the project; the number of files that it changed. */
  format(): number {
    const before = readProject(this.folder);
    this.#format();
    const after = readProject(this.folder);
    return Object.keys(before).filter((path) => after[path] !== before[path]).length;
  }

  /** Files that count as edited, and the number of those that count as formatted alone. */
  async verify(): Promise<{ edited: readonly string[]; formatted: number }> {
    const { differences, reformatted = [] } = await this.run<Verified>('verify');
    return {
      edited: differences.map(({ path }) => path).filter(isCompared),
      formatted: reformatted.length,
    };
  }

  /** The builds that an update changed, and the files that it kept back or could not merge. */
  async update(): Promise<{ builds: readonly string[]; stopped: readonly string[] }> {
    const { plan } = await this.run<{ plan: UpdatedPlan }>(
      'update',
      '--latest',
      '--allow',
      'all',
      '--conflict',
      'ours',
      '--no-install',
    );
    const stopped = plan.files.filter(({ action }) => ['conflict', 'orphan'].includes(action));
    return {
      builds: plan.builds.map(({ id, from }) => `${id} ${from}`).sort(),
      stopped: stopped.map(({ path }) => path).filter(isCompared),
    };
  }
}

/** Markdown is compared as text: what a formatter changes in AGENTS.md is an edit. */
function isCompared(path: string): boolean {
  return !path.endsWith('.md');
}

/** What `verify` finds where at least `formatted` files are formatted. */
function noneEdited(formatted: number): object {
  return { edited: [], formatted: expect.toSatisfy((count: number) => count >= formatted) };
}

function runFormatter(program: string, args: readonly string[], variables: object = {}) {
  return (cwd: string): void => {
    const env = { ...process.env, ...variables };
    const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program}: status ${status}: ${stderr}`);
  };
}

/** Each with its modules, at versions before the newest where there are any. */
const PROJECTS = [
  {
    foundation: 'stackyard/express-api@1.0.0',
    modules: ['stackyard/sqlite@1.0.0', 'stackyard/account@1.1.1'],
    updated: ['stackyard/account 1.1.1', 'stackyard/express-api 1.0.0', 'stackyard/sqlite 1.0.0'],
  },
  {
    foundation: 'stackyard/hono-api@1.0.0',
    modules: ['stackyard/sqlite@1.1.0', 'stackyard/account-hono@1.0.0'],
    updated: ['stackyard/account-hono 1.0.0', 'stackyard/sqlite 1.1.0'],
  },
];

describe.each([
  ['prettier', ['--write', '.']],
  ['biome', ['format', '--write', '.']],
  ['oxfmt', []],
])('%s with its defaults', (name, args) => {
  test.each(PROJECTS)('edits no file of $foundation and its modules', async (made) => {
    const { foundation, modules, updated } = made;
    const url = await serveFolder(await ourIndex(BEFORE_MODULES));
    const program = join(await provideNodeFormatters(), name);
    const project = new FormattedProject(url, runFormatter(program, args));
    await project.run('new', foundation, project.folder, '--allow', 'all', '--no-install');
    // The versions of then brought their tests along, which a test runner finds by their names.
    await project.run('add', ...modules, '--allow', 'all', '--no-install');

    // The starters of today have a configuration of oxfmt, which finds less to change.
    expect(project.format()).toBeGreaterThan(15);
    expect(await project.verify()).toEqual(noneEdited(15));
    expect(await project.update()).toEqual({ builds: updated, stopped: [] });
    expect(await project.verify()).toEqual(noneEdited(0));
    project.format();
    expect(await project.verify()).toEqual(noneEdited(15));

    const ids = modules.map((module) => module.split('@')[0]!).toReversed();
    await project.run('remove', ...ids, '--no-install');
    expect(existsSync(join(project.folder, 'src/account'))).toBe(false);
    expect(existsSync(join(project.folder, 'src/sqlite'))).toBe(false);
    expect(await project.verify()).toEqual(noneEdited(0));
  });
});
