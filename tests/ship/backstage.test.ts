/** Backstage's own validators read what an index serves, and the actions run the client as its scaffolder would. */
import { copyFileSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { ADVISORY, advisoryFile, affects } from '../advisories/advisory-fixture.ts';
import { MAIN } from '../client/client-process.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { providePackages } from '../run/provide-packages.ts';

const run = promisify(execFile);
const ACTIONS = join(import.meta.dirname, '../../backstage/stackyard-actions.ts');
const ADDRESS = 'https://registry.example';

interface Entity {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly [key: string]: unknown;
  };
  readonly spec: { readonly type: string; readonly lifecycle?: string; readonly targets: string[] };
}

interface Action {
  readonly id: string;
  readonly schema: { readonly input: object };
  handler(context: object): Promise<void>;
}

const provide = () =>
  providePackages('backstage-1', [
    '@backstage/backend-plugin-api@1.12.0',
    '@backstage/catalog-model@1.10.3',
    '@backstage/plugin-scaffolder-common@2.4.0',
    '@backstage/plugin-scaffolder-node@1.0.0',
    'yaml@2.8.1',
  ]);

/** A registry with an address and a client. */
async function makeIndex(): Promise<string> {
  const git = new GitFixture();
  git.commit({ 'registry.config.json': JSON.stringify({ base_url: ADDRESS, name: 'Ours' }) });
  const base = { kind: 'foundation', base: undefined, files: ['**'] };
  git.commit({
    ...build('alice/api', '1.0.0', base, { 'app.js': 'export const app = 1;\n' }),
    ...build('alice/notes', '0.1.0', {
      base: 'src/notes',
      keywords: ['c++', 'two words'],
      description: '"${{ x }}": #1 --- - é',
    }),
    ...advisoryFile({ affected: affects('alice/notes', '0') }),
    ...build('bob/gone', '1.0.0', { base: 'gone' }),
    ...build('bob/old', '2.0.0', { kind: 'foundation', base: 'old' }),
  });
  git.commit({
    'builds/bob/owner.json': JSON.stringify({
      deprecated: { old: { reason: 'Gone' } },
      yanked: { gone: { '1.0.0': 'Broken' } },
    }),
  });
  const index = join(temporaryFolder(), 'index');
  const ended = await runCommand('generate', ['--repo', git.folder, '--out', index]);
  expect(ended.status, ended.stderr).toBe(0);
  return index;
}

/** What the catalogue makes of a file, with its validators. */
async function entitiesIn(index: string, file: string): Promise<Entity[]> {
  const load = createRequire(join(await provide(), 'package.json'));
  const model = load('@backstage/catalog-model');
  const scaffolder = load('@backstage/plugin-scaffolder-common');
  const policy = model.EntityPolicies.allOf([
    new model.SchemaValidEntityPolicy(),
    new model.NoForeignRootFieldsEntityPolicy(),
    new model.FieldFormatEntityPolicy(),
  ]);
  const kinds: Record<string, { check(entity: object): Promise<boolean> }> = {
    Component: model.componentEntityV1alpha1Validator,
    Location: model.locationEntityV1alpha1Validator,
    Template: scaffolder.templateEntityV1beta3Validator,
  };
  const documents = load('yaml').parseAllDocuments(readFileSync(join(index, file), 'utf8'));
  const entities = documents.map((one: { toJSON(): Entity }) => one.toJSON()) as Entity[];
  for (const entity of entities) {
    await policy.enforce(entity);
    expect(await kinds[entity.kind]!.check(entity)).toBe(true);
  }
  return entities;
}

it('serves a location of valid components and templates', async () => {
  const index = await makeIndex();
  const [location, ...others] = await entitiesIn(index, 'backstage.yaml');
  expect(others).toEqual([]);
  const targets = location!.spec.targets;
  expect(targets.map((one) => one.replace('./backstage/', '')).sort()).toEqual(
    readdirSync(join(index, 'backstage')).sort(),
  );
  const entities = (await Promise.all(targets.map((one) => entitiesIn(index, one)))).flat();
  const named = entities.map(({ kind, metadata, spec }) => {
    return `${kind} ${metadata.namespace}/${metadata.name} ${spec.type} ${spec.lifecycle ?? ''}`;
  });
  expect(named.sort()).toEqual([
    'Component alice/api stackyard-foundation production',
    'Component alice/notes stackyard-module experimental',
    'Component bob/old stackyard-foundation deprecated',
    'Template alice/api service ',
  ]);
  const notes = entities.find(({ metadata }) => metadata.name === 'notes')!;
  expect(notes.metadata).toMatchObject({
    description: '"${{ x }}": #1 --- - é',
    tags: ['c++'],
    annotations: {
      'stackyard/build': 'alice/notes',
      'stackyard/version': '0.1.0',
      'stackyard/advisories': ADVISORY.id,
    },
    links: [{ url: `${ADDRESS}/builds/alice/notes/index.html` }],
  });
});

/** The file as a backend has it, which type checks. */
async function loadActions(home: string): Promise<(allow: string[]) => Action[]> {
  const folder = temporaryFolder();
  const file = join(folder, 'stackyard-actions.ts');
  copyFileSync(ACTIONS, file);
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'));
  const types = join(import.meta.dirname, '../../node_modules/@types');
  const compilerOptions = {
    target: 'es2022',
    module: 'preserve',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [types],
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['stackyard-actions.ts'] }),
  );
  const tsc = join(types, '../typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', folder]);
  const { createStackyardActions } = await import(pathToFileURL(file).href);
  return (allow) => createStackyardActions({ client: [process.execPath, MAIN], allow });
}

it('starts a project and adds a build to it by the client', async () => {
  const home = await provide();
  const index = await makeIndex();
  const actionsWith = await loadActions(home);
  const [newProject, addBuilds] = actionsWith(['all']);
  const { validate } = createRequire(
    join(home, 'node_modules/@backstage/plugin-scaffolder-node/package.json'),
  )('jsonschema');
  const workspacePath = temporaryFolder();
  const act = async (action: Action, input: object): Promise<Record<string, unknown>> => {
    expect(validate(input, action.schema.input).errors).toEqual([]);
    const made: Record<string, unknown> = {};
    const output = (name: string, value: unknown): void => void (made[name] = value);
    const logger = { info: () => {}, warn: () => {} };
    await action.handler({ input, workspacePath, output, logger });
    return made;
  };
  vi.stubEnv('STACKYARD_REGISTRY', index);
  vi.stubEnv('STACKYARD_STATE', temporaryFolder());
  vi.stubEnv('STACKYARD_CACHE', temporaryFolder());
  expect([newProject!.id, addBuilds!.id]).toEqual(['stackyard:new', 'stackyard:add']);
  const input = { foundation: 'alice/api', name: 'shop', database: 'none' };
  const [careful] = actionsWith([]);
  await expect(act(careful!, input)).rejects.toThrow(/ERR_CONSENT/);
  expect(readdirSync(workspacePath)).toEqual([]);
  const made = await act(newProject!, input);
  expect(made).toMatchObject({ path: 'shop', result: { ok: true, status: 'done' } });
  expect(readFileSync(join(workspacePath, 'shop/app.js'), 'utf8')).toBe('export const app = 1;\n');
  const added = await act(addBuilds!, { builds: ['alice/notes@^0.1.0'], path: 'shop' });
  expect(added).toMatchObject({ result: { ok: true, status: 'done' } });
  const lock = JSON.parse(readFileSync(join(workspacePath, 'shop/stackyard.lock.json'), 'utf8'));
  expect(Object.keys(lock.builds)).toEqual(['alice/api', 'alice/notes']);

  await expect(act(addBuilds!, { builds: ['alice/none'], path: 'shop' })).rejects.toThrow(
    /^stackyard add: .*alice\/none.*ERR_BUILD_NOT_FOUND/,
  );
  await expect(act(addBuilds!, { builds: ['alice/notes'], path: '../x' })).rejects.toThrow(/path/);
  const bad = [{ name: '../x' }, { name: '--git' }, { foundation: '--help' }, { modules: ['-C/'] }];
  for (const input of bad) {
    const all = { foundation: 'alice/api', name: 'x', ...input };
    expect(validate(all, newProject!.schema.input).errors, JSON.stringify(input)).toHaveLength(1);
  }
});
