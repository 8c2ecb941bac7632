/** A starter in TypeScript as the black-box checks build it: a copy, with a module that fails in every way, for production. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { SECRET } from './starter-answers.ts';

/** A module with routes, a check, settings, migrations, a start and a stop. */
const PROBE_MODULE = `
import { existsSync } from 'node:fs';
import type { Module, ModuleLog } from '../../module.js';
import { createProbeRouter } from './router.js';

export function createProbeModule(): Module {
  let log: ModuleLog | undefined;
  return {
    name: 'probe',
    migrations: ['0001_probe'],
    checkSettings: (env) => (env['PROBE'] === 'wrong' ? [{ name: 'PROBE', message: 'Expected another word' }] : []),
    start(host) {
      if (host.env['PROBE'] === 'fails') throw new Error('no probe');
      log = host.log;
      log.info({ migrations: host.migrations }, 'the probe starts');
    },
    checks: { probe() { if (existsSync('fails')) throw new Error('${SECRET}'); } },
    routes: [{ prefix: '/probe', router: createProbeRouter() }],
    stop: () => log?.info('the probe stops'),
  };
}
`;

/** A copy that shares the installed packages. */
export async function copyProject(project: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'starter-'));
  await cp(project, copy, {
    recursive: true,
    filter: (path) => !/(?:node_modules|dist|\.git)$/.test(path),
  });
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Adds one file and one entry to the list of modules, whose check fails while the file `fails` is in the project. */
export async function addProbe(copy: string, router: string): Promise<void> {
  await mkdir(join(copy, 'src/features/probe'));
  await writeFile(join(copy, 'src/features/probe/router.ts'), router);
  await writeFile(join(copy, 'src/features/probe/module.ts'), PROBE_MODULE);
  const file = join(copy, 'src/modules.ts');
  const text = await readFile(file, 'utf8');
  expect(text).toContain('Module[] = [];');
  const edited = text
    .replace(
      /^import /m,
      `import { createProbeModule } from './features/probe/module.js';\nimport `,
    )
    .replace('Module[] = [];', 'Module[] = [createProbeModule()];');
  await writeFile(file, edited);
}

/** Leaves the packages of `dependencies` only, as an installation for production does. */
export async function hideDevelopmentPackages(copy: string, project: string): Promise<void> {
  await rm(join(copy, 'node_modules'));
  const { dependencies } = (await readJson(join(copy, 'package.json'))) as { dependencies: object };
  await mkdir(join(copy, 'node_modules'));
  for (const name of Object.keys(dependencies)) {
    const place = join(copy, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(project, 'node_modules', name), place);
  }
}

export async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
}
