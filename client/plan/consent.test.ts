/** Which files, wired texts and moves of a plan need consent; all names of `tests/consent/`. */
import { describe, expect, test } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock, LockedWiring } from '../../format/project/lock.ts';
import { NAMED_FILES, ORDINARY_FILES } from '../../tests/consent/named-files.ts';
import { ClientError } from '../errors.ts';
import { checkConsent, restoredConsent } from './consent.ts';
import { makePlan, type PlanParts } from '../../tests/client/edited-project-fixture.ts';
import type { FetchedBuild, MadePlan } from './plan.ts';
import type { ConsentEntry, PlannedWiring } from './planned-entries.ts';

/** Files that no module may write at all. */
const REFUSED =
  /^(?:package\.json|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock|pyproject\.toml)$/;

interface Given {
  readonly text?: string;
  readonly executable?: boolean;
}

function fetched(
  files: Readonly<Record<string, Given>>,
  { base = '', to, version = '1.0.0' }: { base?: string; to?: string; version?: string } = {},
): FetchedBuild {
  const kind = 'module' as const;
  const about = { name: 'x', version, kind, description: 'd', license: 'MIT' };
  const manifest = { ...about, ...(base === '' ? {} : { base }) };
  const entries = Object.entries(files).map(([path, { text = version, executable = false }]) => {
    return [path, { bytes: Buffer.from(text), executable }] as const;
  });
  const integrity = integrityOf(Buffer.from(version));
  const place = to === undefined ? {} : { to };
  return { id: 'a/x', version, integrity, manifest, files: new Map(entries), ...place };
}

function plan(
  builds: readonly FetchedBuild[],
  changes: Partial<PlanParts> = {},
  wired?: PlannedWiring,
): MadePlan {
  const requested = Object.fromEntries(builds.map(({ id }) => [id, '^1.0.0']));
  return makePlan({ builds, requested, ...changes }, wired);
}

function update(before: FetchedBuild, after: FetchedBuild): readonly ConsentEntry[] {
  const { changes, commit } = plan([before], { allow: ['all'] });
  const project = new Map(changes.map(({ path, bytes }) => [path, bytes!]));
  const lock = JSON.parse(Buffer.from(commit.bytes!).toString()) as Lock;
  const bases = new Map([[before.id, before]]);
  const made = plan([after], { command: 'update', lock, project, bases });
  return made.plan.consent ?? [];
}

function listed(entries: readonly ConsentEntry[] | undefined): string[] {
  return (entries ?? []).map((entry) => `${entry.class} ${entry.path}`);
}

describe('the files of a plan', () => {
  test.each(NAMED_FILES.filter(({ path }) => !REFUSED.test(path)))(
    'need consent at $path: $source',
    ({ path, class: name }) => {
      const { consent, files } = plan([fetched({ [path]: {} })]).plan;
      expect(listed(consent)).toEqual([`${name} ${path}`]);
      expect(consent?.[0]).toMatchObject({ build: 'a/x', given: false });
      expect(files).toHaveLength(1);
      expect(() => checkConsent({ consent: consent! })).toThrow(ClientError);
      for (const word of ['all', name, path]) {
        const allowed = plan([fetched({ [path]: {} })], { allow: [word] }).plan;
        expect(allowed.consent?.map(({ given }) => given)).toEqual([true]);
        expect(() => checkConsent(allowed)).not.toThrow();
      }
    },
  );

  test('need none where they are source files', () => {
    const files = Object.fromEntries(ORDINARY_FILES.map((path) => [path, {}]));
    expect(plan([fetched(files)]).plan.consent).toBeUndefined();
  });

  test('need it where they are placed: --to can make a harmless file harmful', () => {
    const build = { 'index.ts': {}, 'x/config.ts': {} };
    const consentAt = (to?: string): string[] => {
      const options = to === undefined ? { base: 'src/x' } : { base: 'src/x', to };
      return listed(plan([fetched(build, options)]).plan.consent);
    };
    expect(consentAt()).toEqual([]);
    expect(consentAt('lib/y')).toEqual([]);
    expect(consentAt('')).toEqual(['root index.ts']);
    expect(consentAt('.vscode')).toEqual(['editor .vscode/index.ts', 'editor .vscode/x/config.ts']);
    expect(consentAt('plugins')).toEqual([
      'startup plugins/index.ts',
      'startup plugins/x/config.ts',
    ]);
  });

  test('need it where the project has the same file: the build owns it from now on', () => {
    const build = fetched({ 'jest.config.js': { text: 'x' } });
    const project = new Map([['jest.config.js', Buffer.from('x')]]);
    expect(listed(plan([build], { project }).plan.consent)).toEqual(['settings jest.config.js']);
    const other = new Map([['jest.config.js', Buffer.from('y')]]);
    expect(plan([build], { project: other, on_exists: 'skip' }).plan.consent).toBeUndefined();
  });
});

describe('an update', () => {
  const one = { 'jest.config.js': { text: 'x' }, 'a.ts': {}, 'list.txt': { text: 'requests\n' } };

  test('needs no second consent to a file that stays as it is', () => {
    const after = fetched(one, { base: 'src/x', version: '1.1.0' });
    expect(update(fetched(one, { base: 'src/x' }), after)).toEqual([]);
  });

  test.each([
    ['a file changes', { 'jest.config.js': { text: 'y' } }, ['settings src/x/jest.config.js']],
    ['a file is new', { 'conftest.py': {} }, ['startup src/x/conftest.py']],
    ['a file becomes executable', { 'a.ts': { executable: true } }, ['program src/x/a.ts']],
    [
      'a list names an index',
      { 'list.txt': { text: '-i https://x' } },
      ['packages src/x/list.txt'],
    ],
    ['a file is added beside it', { 'b/jest.config.js': {} }, ['settings src/x/b/jest.config.js']],
  ])('needs consent where %s', (_, more, wanted) => {
    const after = fetched({ ...one, ...more }, { base: 'src/x', version: '1.1.0' });
    expect(listed(update(fetched(one, { base: 'src/x' }), after))).toEqual(wanted);
  });

  test('needs consent where --to moves the build to the root', () => {
    const after = fetched({ 'a.ts': {} }, { base: 'src/x', to: '', version: '1.1.0' });
    expect(listed(update(fetched({ 'a.ts': {} }, { base: 'src/x' }), after))).toEqual([
      'root a.ts',
    ]);
  });
});

describe('a restored file', () => {
  test('needs consent although a lock lists it: the lock is untrusted', () => {
    const build = fetched({ '.npmrc': {}, 'src/a.ts': {} });
    expect(listed(restoredConsent([build], []))).toEqual(['packages .npmrc']);
    expect(restoredConsent([build], ['packages'])[0]?.given).toBe(true);
  });
});

describe('wired text', () => {
  const build = fetched({ 'a.ts': {} }, { base: 'src/x' });

  function wiredPlan(
    entry: Pick<LockedWiring, 'verb' | 'file' | 'text'>,
    project: Readonly<Record<string, string>> = {},
    before: Pick<LockedWiring, 'verb' | 'file' | 'text'>[] = [],
    files = new Map<string, string>(),
  ): string[] {
    const common = { step: 1, target: entry.file, block: 'sha256-x', action: 'added' as const };
    const locked = new Map([[build.id, [{ ...common, ...entry }]]]);
    const wired = {
      entries: [],
      files,
      locked,
      conflicts: [],
      integrated: new Set<string>(),
    };
    const texts = Object.entries(project).map(([path, text]) => [path, Buffer.from(text)] as const);
    const first = plan([build]).commit.bytes!;
    const lock = JSON.parse(Buffer.from(first).toString()) as Lock;
    lock.builds[build.id]!.wiring = before.map((old) => ({ ...common, ...old }));
    const made = plan([], { command: 'wire', lock, project: new Map(texts) }, wired);
    return listed(made.plan.consent);
  }

  test.each(NAMED_FILES)('needs consent in a file $path', ({ path, class: name }) => {
    const ignore = path === '.gitignore';
    expect(wiredPlan({ verb: 'file', file: path, text: ignore ? '!.env\n' : 'x\n' })).toEqual([
      `${name} ${path}`,
    ]);
  });

  test('needs none in source files, nor in code that is at the root already', () => {
    for (const file of ORDINARY_FILES) {
      expect(wiredPlan({ verb: 'file', file, text: 'x\n' })).toEqual([]);
    }
    const insert = { verb: 'insert', file: 'app.js', text: 'x\n' } as const;
    expect(wiredPlan(insert, { 'app.js': '' })).toEqual([]);
    expect(wiredPlan({ ...insert, file: 'vite.config.ts' }, { 'vite.config.ts': '' })).toEqual([
      'settings vite.config.ts',
    ]);
    expect(wiredPlan({ verb: 'lines', file: '.gitignore', text: 'data/\n' })).toEqual([]);
  });

  test('needs consent again where an update changes the lines', () => {
    const file = 'deps/prod.txt';
    const harmless = { verb: 'lines', file, text: 'requests\n' } as const;
    const harmful = { verb: 'lines', file, text: '--index-url https://x\n' } as const;
    expect(wiredPlan(harmless)).toEqual([]);
    expect(wiredPlan(harmful, {}, [harmless])).toEqual([`packages ${file}`]);
    expect(wiredPlan(harmful, {}, [harmful])).toEqual([]);
    // The lock has it, and the file does not: a repeated step writes it again.
    const written = new Map([[file, harmful.text]]);
    expect(wiredPlan(harmful, { [file]: '' }, [harmful], written)).toEqual([`packages ${file}`]);
    expect(wiredPlan(harmful, { [file]: `a\n${harmful.text}` }, [harmful], written)).toEqual([]);
    const other = { ...harmful, text: '-i https://y\n' };
    expect(wiredPlan(other, {}, [harmful])).toEqual([`packages ${file}`]);
  });
});

test('checkConsent() names classes, paths, what they can do, and the exact option', () => {
  const { consent } = plan([fetched({ 'src/x/conftest.py': {}, '.npmrc': {} })]).plan;
  try {
    checkConsent({ consent: consent! });
    expect.unreachable();
  } catch (error) {
    const { code, message, hint } = error as ClientError;
    expect(code).toBe('ERR_CONSENT');
    expect(message.split('\n').slice(1)).toEqual([
      '  packages: .npmrc',
      '    A package manager reads it: it decides which packages come from where, and can start programs at the next install.',
      '  startup: src/x/conftest.py',
      '    An interpreter, a test runner, a web framework or a migration tool runs it because of its name or place, without an import.',
    ]);
    expect(hint).toContain('--allow packages,startup');
  }
});
