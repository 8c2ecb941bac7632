import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runShell, testCommand } from './run-tests.ts';

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-tests-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

const SCRIPT = JSON.stringify({ name: 'app', scripts: { test: 'x' } });

describe('testCommand()', () => {
  it.each([
    [{ 'package.json': SCRIPT }, undefined, 'npm run test'],
    [{ 'package.json': SCRIPT, 'pnpm-lock.yaml': '' }, undefined, 'pnpm run test'],
    [{ 'package.json': SCRIPT, 'deno.lock': '{}' }, undefined, 'deno task test'],
    [{ 'pytest.ini': '' }, undefined, 'python -m pytest'],
    [{ 'package.json': SCRIPT }, 'make test', 'make test'],
    [{ 'package.json': SCRIPT }, ' ', 'npm run test'],
  ])('of %j with %j is %j', async (files, given, expected) => {
    expect(await testCommand(project(files), given)).toBe(expected);
  });

  it('fails where nothing tests the project', async () => {
    const empty = project({ 'package.json': '{}' });
    await expect(testCommand(empty, undefined)).rejects.toMatchObject({ code: 'ERR_USAGE' });
  });
});

describe('runShell()', () => {
  const { signal } = new AbortController();

  it('returns the exit status and what was printed', async () => {
    const ran = await runShell(project({}), 'echo one; echo two >&2; exit 4', signal, true);
    expect(ran).toMatchObject({ status: 4, output: expect.stringMatching(/one\n/) });
    expect(ran.output).toContain('two');
  });

  it('gives the identity of the CI run to nothing', async () => {
    vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_URL', 'https://x.example');
    vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { output } = await runShell(project({}), 'env', signal, true);
    expect(output).toContain('PATH=');
    expect(output).not.toContain('ID_TOKEN');
  });

  it('asks for text without colours where a guide states what is printed', async () => {
    vi.stubEnv('NO_COLOR', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { output } = await runShell(project({}), 'env', signal, true);
    expect(output).toContain('NO_COLOR=1\n');
  });
});
