/** Ctrl-C during `add`: the real program, real signals, and a slow registry. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import { build } from '../publish/gate-fixture.ts';
import {
  makeProject,
  pathOf,
  readProject,
  serveAnswers,
  serveChanged,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';

const PROJECT = { 'package.json': '{\n  "name": "app"\n}\n' };
const STDERR = 'error: Interrupted: nothing was changed\n';

/** A registry with `a/web`; requests that match `isSlow` receive the first bytes and then no more. */
async function slowRegistry(
  isSlow: (path: string) => boolean,
): Promise<{ slow: string; fast: string; isRequested: Promise<void> }> {
  const git = new GitFixture();
  git.commit(build('a/web', '1.0.0', { dependencies: { npm: { zod: '^4.0.0' } } }));
  const { url: fast, index } = await serveRegistry(git);
  let asked = (): void => {};
  const isRequested = new Promise<void>((resolve) => (asked = resolve));
  const slow = await serveChanged(index, (request, response: ServerResponse) => {
    const path = pathOf(request);
    if (!isSlow(path)) return false;
    const bytes = readFileSync(join(index, path));
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 20), () => asked());
    return true;
  });
  return { slow, fast, isRequested };
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

describe('an interrupted add', () => {
  it.each([
    ['the head', (path: string) => path.startsWith('/documents/'), 'SIGINT', 130],
    ['the tarball', (path: string) => path.endsWith('.tgz'), 'SIGINT', 130],
    ['the tarball', (path: string) => path.endsWith('.tgz'), 'SIGTERM', 143],
  ])(
    'while %s is downloaded changes nothing, and the next one succeeds',
    async (_, isSlow, signal, status) => {
      const { slow, fast, isRequested } = await slowRegistry(isSlow);
      const project = makeProject(PROJECT);
      const cache = temporaryFolder();
      const args = ['add', 'a/web', '-C', project, '--no-install', '--registry'];
      const interruption = new AbortController();
      const ended = stackyard([...args, slow], { STACKYARD_CACHE: cache }, interruption.signal);
      await isRequested;
      interruption.abort(signal);
      expect(await ended).toEqual({ status, stdout: '', stderr: STDERR });
      expect(readProject(project)).toEqual(PROJECT);
      expect(existsSync(join(project, '.stackyard'))).toBe(false);
      const next = await stackyard([...args, fast], { STACKYARD_CACHE: cache });
      expect([next.status, next.stderr]).toEqual([0, '']);
      expect(existsSync(join(project, 'stackyard.lock.json'))).toBe(true);
    },
  );

  it('reports the interruption in one document with --json', async () => {
    let asked = (): void => {};
    const isRequested = new Promise<void>((resolve) => (asked = resolve));
    const url = await serveAnswers(() => asked());
    const project = makeProject(PROJECT);
    const interruption = new AbortController();
    const args = ['add', 'a/web', '-C', project, '--registry', url, '--json'];
    const running = stackyard(args, {}, interruption.signal);
    await isRequested;
    interruption.abort();
    const ended = await running;
    expect([ended.status, ended.stderr]).toEqual([130, '']);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ok: false,
      status: 'error',
      error: { code: 'ERR_INTERRUPTED', message: 'Interrupted: nothing was changed' },
    });
    expect(readProject(project)).toEqual(PROJECT);
  });

  it('while files are placed is rolled back', async () => {
    const git = new GitFixture();
    const files = Array.from({ length: 800 }, (_, n) => [`src/f${n}.ts`, `${n}\n`]);
    git.commit(build('a/big', '1.0.0', {}, Object.fromEntries(files)));
    const { url } = await serveRegistry(git);
    const project = makeProject(PROJECT);
    const interruption = new AbortController();
    const args = ['add', 'a/big', '-C', project, '--registry', url];
    const ended = stackyard(args, {}, interruption.signal);
    while (!existsSync(join(project, '.stackyard/journal.json'))) await sleep(1);
    interruption.abort();
    expect(await ended).toEqual({ status: 130, stdout: '', stderr: STDERR });
    expect(readProject(project)).toEqual(PROJECT);
    expect(existsSync(join(project, '.stackyard'))).toBe(false);
    expect(existsSync(join(project, 'src'))).toBe(false);
  });

  it('while a fixer of the project runs changes nothing, and ends the fixer', async () => {
    const git = new GitFixture();
    git.commit(build('a/web', '1.0.0', {}, { 'src/a.ts': 'export const a = 1;\n' }));
    const { url } = await serveRegistry(git);
    const state = temporaryFolder();
    const mark = join(state, 'started');
    const project = makeProject({
      'package.json': '{"name":"app","devDependencies":{"prettier":"3"},"prettier":{}}\n',
      'tsconfig.json': '{}\n',
      'node_modules/prettier/package.json': '{"name":"prettier","bin":"bin.cjs"}',
      'node_modules/prettier/bin.cjs': `require('node:fs').writeFileSync(${JSON.stringify(mark)}, String(process.pid)); setInterval(() => {}, 1000);`,
    });
    const before = readProject(project);
    const interruption = new AbortController();
    const args = ['add', 'a/web', '-C', project, '--style=project', '--registry', url];
    const running = stackyard(args, { STACKYARD_STATE: join(state, 's') }, interruption.signal);
    while (!existsSync(mark)) await sleep(1);
    interruption.abort();
    const ended = await running;
    expect([ended.status, ended.stdout]).toEqual([130, '']);
    expect(ended.stderr).toContain(STDERR);
    expect(readProject(project)).toEqual(before);
    expect(existsSync(join(project, '.stackyard'))).toBe(false);
    const fixer = Number(readFileSync(mark, 'utf8'));
    await expect.poll(() => isRunning(fixer)).toBe(false);
  });

  it.skipIf(process.platform === 'win32')(
    'while the package manager runs keeps the files, prints what is left to do, and the next run does it',
    async () => {
      const { fast } = await slowRegistry(() => false);
      const bin = temporaryFolder();
      mkdirSync(bin, { recursive: true });
      const mark = join(bin, 'started');
      writeFileSync(
        join(bin, 'npm'),
        `#!/bin/sh\nif [ -e "${mark}" ]; then : > "${mark}.again"; exit 0; fi\n: > "${mark}"\nexec sleep 600\n`,
      );
      chmodSync(join(bin, 'npm'), 0o755);
      const project = makeProject(PROJECT);
      const interruption = new AbortController();
      const args = ['add', 'a/web', '-C', project, '--registry', fast];
      const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
      const variables = { PATH: path, STACKYARD_STATE: join(bin, 'state') };
      const running = stackyard(args, variables, interruption.signal);
      while (!existsSync(mark)) await sleep(1);
      interruption.abort();
      const ended = await running;
      expect(ended.status).toBe(11);
      expect(ended.stdout).toContain('Next: npm install');
      expect(ended.stderr).toContain('The files are in place, but "npm install');
      expect(existsSync(join(project, 'stackyard.lock.json'))).toBe(true);

      const next = await stackyard(args, variables);
      expect(next).toMatchObject({ status: 0, stdout: 'a/web 1.0.0 is installed already\n' });
      expect(next.stderr).toContain('Running npm install');
      expect(existsSync(`${mark}.again`)).toBe(true);
      const last = await stackyard(args, variables);
      expect(last).toEqual({ status: 0, stdout: next.stdout, stderr: '' });
    },
  );
});
