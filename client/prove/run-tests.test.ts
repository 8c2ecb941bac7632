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
    [{ 'package.json': SCRIPT }, 'npm run test'],
    [{ 'package.json': SCRIPT, 'pnpm-lock.yaml': '' }, 'pnpm run test'],
    [{ 'package.json': SCRIPT, 'deno.lock': '{}' }, 'deno task test'],
    [{ 'pytest.ini': '' }, 'python -m pytest'],
    [{ 'package.json': '{}' }, undefined],
  ])('of %j is %j', async (files, expected) => {
    expect(await testCommand(project(files))).toBe(expected);
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
