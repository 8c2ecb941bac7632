/** Each Dockerfile of the repository makes an image that runs, by its own commands on this machine's programs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { ROOT, dockerfiles } from './dockerfile.ts';
import { projectEnvironment, runIn } from './our-registry.ts';
import { runDockerfile } from './run-dockerfile.ts';
import { startServer } from './server-process.ts';

/** The tracked files of a build, and a lock, which a project has and a build does not. */
function copyBuild(context: string, folder: string): string {
  const options = { cwd: join(ROOT, context), encoding: 'utf8' } as const;
  for (const path of execFileSync('git', ['ls-files', '-z'], options).split('\0').filter(Boolean))
    cpSync(join(ROOT, context, path), join(folder, path));
  const lock = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit'];
  if (existsSync(join(folder, 'package.json'))) runIn(folder, 'npm', ...lock);
  return folder;
}

test.each(dockerfiles())(
  '$path',
  async ({ context, file }) => {
    const folder = mkdtempSync(join(tmpdir(), 'stackyard-image-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [project, stages] = [join(folder, 'context'), join(folder, 'stages')];
    for (const one of [project, stages]) mkdirSync(one);
    const image = runDockerfile(context === '' ? ROOT : copyBuild(context, project), stages, file);
    if (image.command.length === 0) {
      // nginx serves the pages.
      expect(readdirSync(join(image.folder, 'usr/share/nginx/html'))).toContain('index.html');
      return;
    }
    expect(image.user).toMatch(/^[1-9]\d*(?::[1-9]\d*)?$/);
    if (image.command[0] === 'node') {
      expect(readdirSync(join(image.folder, 'node_modules'))).not.toContain('typescript');
    }
    const port = await findFreePort();
    const [program = '', ...args] = image.command;
    const [checker = '', ...checks] = image.healthCheck;
    const own = { DATABASE_URL: `file:${join(folder, 'auth.sqlite')}`, JWT_SECRET: 'x'.repeat(64) };
    const env = {
      PATH: projectEnvironment()['PATH']!,
      ...image.env,
      ...(file.startsWith('auth-service') ? own : {}),
      PORT: String(port),
    };
    const checkHealth = (): number | null =>
      spawnSync(checker, checks, { cwd: image.folder, env }).status;
    const server = await startServer({ file: program, args, cwd: image.folder, env }, port);
    expect(checkHealth()).toBe(0);
    await server.stop();
    expect(checkHealth()).toBe(1);
  },
  600_000,
);
