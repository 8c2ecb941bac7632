/**
 * Whether modules work together: every pair and seeded larger subsets of those that are wired into `src/modules.ts`, in projects
 * of each foundation on each database. Each subset is made by `stackyard new`, wired, type-checked, tested, started, and answers
 * the requests that the guides of its builds promise.
 *
 *     node tools/prove-subsets.ts                 goes on where it was ended; writes docs/modules-together.md
 *     node tools/prove-subsets.ts --minutes 20    ends after that time; 0 only writes the page
 *     node tools/prove-subsets.ts --only mail     the subsets with the build of that name, and writes nothing
 */
import { createHash } from 'node:crypto';
import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Manifest } from '../format/build/manifest.ts';
import { parseExpectations } from '../format/wiring/expectations.ts';
import { parseWiring } from '../format/wiring/wiring.ts';
import { checkExpectations } from '../client/prove/check-expectations.ts';
import { runLimited, withApplication } from '../client/prove/run-command.ts';
import { tagsOf } from '../client/wire/tag-imports.ts';
import { generate } from '../generator/pipeline/pipeline.ts';
import { serveIndex } from '../generator/serve/serve-index.ts';
import { startPostgres, type PostgresServer } from '../tests/auth/postgres-fixture.ts';

const ROOT = join(import.meta.dirname, '..');
const BUILDS = join(ROOT, 'builds/stackyard');
const CLIENT = join(ROOT, 'client/main.ts');
const PAGE = join(ROOT, 'docs/modules-together.md');
export const FOUNDATIONS = ['express-api', 'hono-api'];
export const DATABASES = ['sqlite', 'postgres'] as const;
const LARGER = 20;
const STEP_MS = 240_000;
const LIST = 'src/modules.ts';

type Database = (typeof DATABASES)[number];

interface Feature {
  readonly name: string;
  /** Tags that its steps import from, and builds that it requires. */
  readonly needs: readonly string[];
  readonly provides: readonly string[];
  readonly requires: readonly string[];
}

interface Subset {
  readonly foundation: string;
  readonly database: Database;
  /** Names of builds, those included that the chosen ones need. */
  readonly modules: readonly string[];
}

interface Result {
  readonly key: string;
  /** Absent where all of it works. */
  readonly failed?: string;
  readonly seconds: number;
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(BUILDS, name, 'stackyard.json'), 'utf8')) as Manifest;
}

function guideOf(name: string): string {
  return readFileSync(join(BUILDS, name, 'INTEGRATION.md'), 'utf8');
}

/** The builds whose guides put a module into the list of a foundation. */
export function readFeatures(): Feature[] {
  return readdirSync(BUILDS, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && existsSync(join(BUILDS, entry.name, 'INTEGRATION.md')),
    )
    .flatMap(({ name }) => {
      const blocks = parseWiring(guideOf(name)).steps.flatMap(({ alternatives }) =>
        alternatives.flat(),
      );
      if (!blocks.some(({ verb, target }) => verb === 'append' && target === LIST)) return [];
      const { stack, builds = {} } = manifestOf(name);
      const requires = Object.keys(builds).map((id) => id.replace('stackyard/', ''));
      const needs = [...blocks.flatMap(tagsOf), ...Object.keys(stack?.requires ?? {})];
      return [{ name, needs, provides: stack?.provides ?? [], requires }];
    });
}

/**
 * Every pair of what applies to a foundation on a database, then larger subsets, the same in each run; each with what it needs.
 * The accounts are those of better-auth, which run in each foundation on each database.
 */
export function subsetsOf(
  all: readonly Feature[],
  foundation: string,
  database: Database,
): Subset[] {
  const isOfOther = ({ name, provides, requires }: Feature): boolean =>
    (provides.includes('database') && name !== database) ||
    (provides.includes('auth') && name !== 'better-auth') ||
    requires.some((id) =>
      all.some((one) => one.name === id && one.provides.includes('database') && id !== database),
    );
  const features = all.filter((one) => !isOfOther(one));
  const closed = (names: readonly string[]): string[] => {
    const found = new Set(names);
    // The set grows during the loop.
    for (const name of found) {
      const { needs = [], requires = [] } = features.find((one) => one.name === name) ?? {};
      for (const one of features) {
        if (requires.includes(one.name) || one.provides.some((tag) => needs.includes(tag)))
          found.add(one.name);
      }
    }
    return [...found].sort();
  };
  const names = features.map(({ name }) => name).sort();
  const pairs = names.flatMap((a, at) => names.slice(at + 1).map((b) => closed([a, b])));
  const larger = Array.from({ length: LARGER }, (_, round) =>
    closed(names.filter((name) => bitOf(`${foundation} ${database} ${round} ${name}`))),
  );
  const unique = new Map([...pairs, ...larger, closed(names)].map((one) => [one.join(' '), one]));
  return [...unique.values()].map((modules) => ({ foundation, database, modules }));
}

function bitOf(text: string): boolean {
  return (createHash('sha256').update(text).digest()[0]! & 1) === 1;
}

/** Makes projects of subsets, on one registry, one PostgreSQL and one folder of packages. */
export class SubsetProver {
  readonly #folder = mkdtempSync(join(tmpdir(), 'stackyard-subsets-'));
  readonly #signal = new AbortController().signal;
  #registry = '';
  #server: Awaited<ReturnType<typeof serveIndex>> | undefined;
  #postgres: PostgresServer | undefined;
  #count = 0;

  async open(): Promise<void> {
    const index = join(this.#folder, 'index');
    mkdirSync(join(this.#folder, 'bin'));
    symlinkSync(process.execPath, join(this.#folder, 'bin/node'));
    await generate({ repo: ROOT, out: index, pages: false });
    this.#server = await serveIndex(index, 0);
    this.#registry = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.#postgres = await startPostgres();
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#postgres?.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What fails first, with its last lines; `undefined` where all of it works. */
  async prove({ foundation, database, modules }: Subset): Promise<string | undefined> {
    const name = `p${(this.#count += 1)}`;
    const project = join(this.#folder, name);
    try {
      const wired = await this.#make(project, foundation, modules);
      if (wired !== undefined) return `wired: ${wired}`;
      await this.#addPackages(project);
      const url = database === 'postgres' ? await this.#postgres!.createDatabase(name) : undefined;
      const env = url === undefined ? {} : { DATABASE_URL: url };
      for (const script of ['typecheck', 'test', 'build']) {
        const command = `node --run ${script}`;
        const ran = await runLimited(command, project, {
          timeMs: STEP_MS,
          signal: this.#signal,
          env,
        });
        if (ran.status !== 0) return `${script}: ${tailOf(ran.output)}`;
      }
      const limits = { timeMs: 60_000, signal: this.#signal, env };
      const started = await withApplication(
        'node --run start',
        project,
        limits,
        async (address) => {
          const ready = await fetch(`${address}/ready`);
          if (ready.status !== 200)
            return `GET /ready answered ${ready.status}: ${await ready.text()}`;
          for (const one of modules) {
            const { requests } = parseExpectations(guideOf(one));
            const answers = await checkExpectations(address, requests, this.#signal);
            const wrong = answers.find(({ why }) => why !== undefined);
            if (wrong !== undefined)
              return `${one}: ${wrong.request} answered ${wrong.status ?? 'nothing'}, ${wrong.why}`;
          }
          return undefined;
        },
      );
      if (started.kind !== 'listened') return `start: ${tailOf(started.output)}`;
      return started.result === undefined ? undefined : `expect: ${started.result}`;
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  }

  /** @returns the first step that was left */
  async #make(
    project: string,
    foundation: string,
    modules: readonly string[],
  ): Promise<string | undefined> {
    const ids = modules.map((one) => `stackyard/${one}`);
    const more = ids.length === 0 ? [] : ['--with', ...ids];
    const args = [
      'new',
      `stackyard/${foundation}`,
      project,
      ...more,
      '--no-install',
      '--allow',
      'all',
      '--json',
    ];
    // "the Node.js in use" of the project is the one of this process, which npm may have put on the PATH in a folder that is not asked.
    const bin = join(this.#folder, 'bin');
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      STACKYARD_REGISTRY: this.#registry,
      STACKYARD_STATE: join(this.#folder, 'state'),
      STACKYARD_CACHE: join(this.#folder, 'cache'),
    };
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [CLIENT, ...args], {
        env,
        maxBuffer: 1e8,
      });
      const { data } = JSON.parse(stdout) as {
        data: {
          plan: { wiring?: { action: string; build: string; step: number; why?: string }[] };
        };
      };
      const left = data.plan.wiring?.find(({ action }) => action === 'by_hand');
      return left && `step ${left.step} of ${left.build} is left: ${left.why}`;
    } catch (error) {
      return tailOf(
        `${(error as { stdout?: string }).stdout ?? ''}${(error as { stderr?: string }).stderr ?? String(error)}`,
      );
    }
  }

  /** The packages of all projects so far, in one folder that each links to: a new package installs them again. */
  async #addPackages(project: string): Promise<void> {
    const shared = join(tmpdir(), 'stackyard-prove-cache/subsets');
    mkdirSync(shared, { recursive: true });
    const file = join(shared, 'package.json');
    const read = (path: string): Record<string, Record<string, string>> =>
      existsSync(path)
        ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>)
        : {};
    const own = read(join(project, 'package.json'));
    const before = read(file)['dependencies'] ?? {};
    const dependencies = { ...before, ...own['devDependencies'], ...own['dependencies'] };
    const isSame = JSON.stringify(dependencies) === JSON.stringify(before);
    if (!isSame || !existsSync(join(shared, 'node_modules'))) {
      writeFileSync(file, JSON.stringify({ private: true, dependencies }));
      const args = [
        'install',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        '--force',
      ];
      await promisify(execFile)('npm', args, { cwd: shared, maxBuffer: 1e8 });
    }
    symlinkSync(join(shared, 'node_modules'), join(project, 'node_modules'));
  }
}

/** From the first line that names an error. */
function tailOf(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  const first = lines.findIndex((line) => /error|FAIL|✗|×/i.test(line));
  const shown = first < 0 ? lines.slice(-12) : lines.slice(first, first + 12);
  return shown.join(' / ').slice(0, 900);
}

async function proveAll(minutes: number, only: string | undefined): Promise<number> {
  const until = Date.now() + minutes * 60_000;
  const state = join(tmpdir(), 'stackyard-prove-cache/subsets.jsonl');
  mkdirSync(join(state, '..'), { recursive: true });
  const known = new Map(
    (existsSync(state) ? readFileSync(state, 'utf8').split('\n') : [])
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Result)
      .map((one) => [one.key, one]),
  );
  const features = readFeatures();
  const all = FOUNDATIONS.flatMap((foundation) =>
    DATABASES.flatMap((database) => subsetsOf(features, foundation, database)),
  ).filter(({ modules }) => only === undefined || modules.includes(only));
  // Spread over foundations and databases: what has run shows something of each.
  const order = all.toSorted(
    (a, b) => Number(isAll(b, all)) - Number(isAll(a, all)) || orderOf(a).localeCompare(orderOf(b)),
  );
  const prover = new SubsetProver();
  try {
    let isOpen = false;
    for (const [at, subset] of order.entries()) {
      const key = keyOf(subset);
      if (known.has(key) && (known.get(key)!.failed === undefined || only === undefined)) continue;
      if (Date.now() >= until) break;
      if (!isOpen) await prover.open();
      isOpen = true;
      const began = Date.now();
      const failed = await prover.prove(subset);
      const result: Result = {
        key,
        ...(failed === undefined ? {} : { failed }),
        seconds: Math.round((Date.now() - began) / 1000),
      };
      known.set(key, result);
      appendFileSync(state, `${JSON.stringify(result)}\n`);
      console.log(
        `${at + 1}/${order.length} ${nameOf(subset)}: ${failed ?? 'works'} (${result.seconds} s)`,
      );
    }
  } finally {
    prover.close();
  }
  const results = all.map((subset) => ({ subset, result: known.get(keyOf(subset)) }));
  if (only === undefined) {
    writeFileSync(`${PAGE}.new`, formatPage(results));
    renameSync(`${PAGE}.new`, PAGE);
  }
  return results.every(({ result }) => result !== undefined && result.failed === undefined) ? 0 : 1;
}

/** Whether it has all that applies to its foundation and database: such are proved first. */
function isAll({ foundation, database, modules }: Subset, all: readonly Subset[]): boolean {
  return all.every(
    (one) =>
      one.foundation !== foundation ||
      one.database !== database ||
      one.modules.length <= modules.length,
  );
}

function orderOf(subset: Subset): string {
  return createHash('sha256').update(nameOf(subset)).digest('hex');
}

function nameOf({ foundation, database, modules }: Subset): string {
  return `${foundation} on ${database}: ${modules.join(', ')}`;
}

/** With the content of each build, as it is committed: another one is proved again. */
function keyOf({ foundation, database, modules }: Subset): string {
  const trees = [foundation, ...modules].map((name) => `${name}@${treeOf(name).slice(0, 12)}`);
  return `${database}: ${trees.join(' ')}`;
}

const trees = new Map<string, string>();

function treeOf(name: string): string {
  const known = trees.get(name);
  if (known !== undefined) return known;
  const args = ['-C', ROOT, 'rev-parse', `HEAD:builds/stackyard/${name}`];
  const tree = execFileSync('git', args, { encoding: 'utf8' }).trim();
  trees.set(name, tree);
  return tree;
}

type Proved = readonly { readonly subset: Subset; readonly result: Result | undefined }[];

function formatPage(results: Proved): string {
  const groups = Map.groupBy(
    results,
    ({ subset }) =>
      `| ${subset.foundation} ${manifestOf(subset.foundation).version} | ${subset.database} |`,
  );
  const rows = [...groups].map(([head, own]) => {
    const ran = own.filter(({ result }) => result !== undefined);
    const works = ran.filter(({ result }) => result?.failed === undefined).length;
    const seconds = ran.reduce((sum, { result }) => sum + (result?.seconds ?? 0), 0);
    return `${head} ${own.length} | ${ran.length} | ${works} | ${ran.length - works} | ${Math.round(seconds / Math.max(1, ran.length))} s |`;
  });
  const names = new Set(results.flatMap(({ subset }) => subset.modules));
  const builds = [...names]
    .sort()
    .map((name) => `\`stackyard/${name}\` ${manifestOf(name).version}`);
  const failures = results.flatMap(({ subset, result }) =>
    result?.failed === undefined
      ? []
      : [
          `- ${nameOf(subset)}\n\n  \`\`\`text\n  ${result.failed.replaceAll('`', "'")}\n  \`\`\`\n`,
        ],
  );
  return `# Modules together

Written by \`node tools/prove-subsets.ts\`: every pair and ${LARGER} larger subsets (seeded; and all of them at once) of the builds that are wired into \`${LIST}\`, each with what it needs, on each
database in each foundation. Each is a project that \`stackyard new\` makes. It works where no step is left to the user, the types are right, the tests of the project pass, it starts
from its build, \`/ready\` answers 200, and each request of the guides is answered as promised. The projects share one folder of packages, so that what a build declares
is measured elsewhere ([compatibility.md](compatibility.md)).

Builds: ${builds.join(', ')}.

| Foundation | Database | Subsets | Ran | Work | Fail | Each |
|---|---|---|---|---|---|---|
${rows.join('\n')}

## Failures

${failures.length === 0 ? 'None.\n' : failures.join('\n')}`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, only: { type: 'string' } },
  });
  process.exitCode = await proveAll(Number(values.minutes ?? Infinity), values.only);
}
