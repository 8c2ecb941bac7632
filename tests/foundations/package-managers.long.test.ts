/** Products of other package managers than npm: their workflow and their Dockerfile install and run with the one that was chosen. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { findFreePort } from '../../tools/free-port.ts';
import { installOnce } from '../run/install-once.ts';
import { runNpm } from '../run/provide-node.ts';
import { ourRegistry, projectEnvironment } from './our-registry.ts';
import { runDockerfile } from './run-dockerfile.ts';
import { startServer } from './server-process.ts';

const registry = ourRegistry();
let managers = '';

beforeAll(async () => {
  managers = await installOnce('node-managers-2', async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const packages = ['pnpm@12.21.0', 'yarn@1.22.22', 'bun@1.4.5'];
    await runNpm(folder, ['install', '--no-audit', '--no-fund', ...packages]);
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const copyOf = (project: string, folder: string): string => {
  const isOwn = (path: string): boolean => !/\/(?:node_modules|dist)$/.test(path);
  cpSync(project, folder, { recursive: true, filter: isOwn });
  return folder;
};

test.each(['pnpm', 'yarn', 'bun'])('%s', async (manager) => {
  const folder = mkdtempSync(join(registry.folder(), `${manager}-`));
  const bin = join(managers, 'node_modules/.bin');
  const path = projectEnvironment()['PATH']!;
  vi.stubEnv('PATH', [bin, path].join(delimiter));
  const options = [
    '--package-manager',
    manager,
    '--with',
    'sqlite,better-auth,auth-pages',
    '--allow',
    'all',
  ];
  await registry.stackyard('new', 'stackyard/express-api', 'app', ...options, '-C', folder);
  const project = join(folder, 'app');
  await registry.stackyard('verify', '-C', project);
  await registry.stackyard('verify', '-C', project, '-w', 'web');

  // A host has npm, whose global packages have a folder of their own, and yarn 1.
  const prefix = join(folder, 'prefix');
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  symlinkSync(join(bin, 'yarn'), join(prefix, 'bin/yarn'));
  vi.stubEnv('npm_config_prefix', prefix);
  vi.stubEnv('PATH', [join(prefix, 'bin'), path].join(delimiter));
  const { jobs } = parse(readFileSync(join(project, '.github/workflows/ci.yml'), 'utf8')) as {
    jobs: { check: { steps: { run?: string; with?: object }[] } };
  };
  const checked = copyOf(project, join(folder, 'checked'));
  // The tests in a browser are those of `react-app` itself.
  const commands = jobs.check.steps.flatMap(({ run = '' }) =>
    run === '' || run.includes('test:browser') ? [] : [run],
  );
  expect(commands).toHaveLength(5);
  for (const command of commands) {
    const env = { ...projectEnvironment(), CI: 'true' };
    execFileSync('sh', ['-ec', command], { cwd: checked, env, stdio: 'pipe' });
  }
  expect(JSON.stringify(jobs)).not.toContain('"cache"');

  const image = runDockerfile(project, mkdtempSync(join(folder, 'image-')));
  const port = await findFreePort();
  const env = {
    ...image.env,
    PORT: String(port),
    SQLITE_PATH: join(folder, 'app.db'),
    BETTER_AUTH_SECRET: 'a-secret-of-this-test-5f0c1d7b9e2a',
    BETTER_AUTH_URL: 'https://app.example.com',
  };
  const command = { file: process.execPath, args: image.command.slice(1), cwd: image.folder, env };
  const server = await startServer(command, port);
  try {
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect(await (await fetch(server.url)).text()).toContain('<!doctype html>');
    expect(readFileSync(join(project, 'AGENTS.md'), 'utf8')).not.toMatch(/\bnp[mx]\b/);
  } finally {
    await server.stop();
  }
});
