import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeInUse } from './node-in-use.ts';

const running = { file: process.execPath, version: process.versions.node };

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'stackyard-node-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A folder with a program `node`. */
function bin(parent: string, name: string, script: string): string {
  const made = join(parent, name);
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, 'node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return made;
}

describe('nodeInUse()', () => {
  it('is the first of the path, outside of the packages of the client', async () => {
    const root = folder();
    const own = bin(root, 'software/node_modules/.bin', 'echo v24.0.0');
    const theirs = bin(root, 'usr/bin', 'echo v20.11.1');
    const path = [own, join(root, 'none'), theirs].join(delimiter);
    const client = join(root, 'software/client/main.ts');
    expect(await nodeInUse(root, { path, client, running })).toBe('20.11.1');
    const elsewhere = join(root, 'other/client/main.ts');
    expect(await nodeInUse(root, { path, client: elsewhere, running })).toBe('24.0.0');
  });

  it('counts the packages of a project, also where the client is one of them', async () => {
    const root = folder();
    const path = bin(root, 'app/node_modules/.bin', 'echo v22.20.0');
    const client = join(root, 'app/node_modules/stackyard/dist/stackyard.mjs');
    expect(await nodeInUse(root, { path, client, running })).toBe('22.20.0');
  });

  it('asks a version manager in the folder of the project', async () => {
    const root = folder();
    writeFileSync(join(root, 'chosen'), 'v18.19.0\n');
    const path = bin(folder(), 'shims', 'cat chosen');
    expect(await nodeInUse(root, { path, client: '', running })).toBe('18.19.0');
  });

  it('is the running one by another name, without asking it', async () => {
    const root = folder();
    mkdirSync(join(root, 'bin'));
    symlinkSync(process.execPath, join(root, 'bin/node'));
    const asked = { file: process.execPath, version: '99.0.0' };
    const search = { path: join(root, 'bin'), client: '', running: asked };
    expect(await nodeInUse(root, search)).toBe('99.0.0');
  });

  it.each([
    ['that fails', 'exit 1'],
    ['that prints something else', 'echo hello'],
  ])('is the running one for a program %s', async (_what, script) => {
    const root = folder();
    const search = { path: bin(root, 'bin', script), client: '', running };
    expect(await nodeInUse(root, search)).toBe(running.version);
  });

  it.each(['', 'bin', './bin', '/nowhere/at/all'])(
    'is the running one for the path "%s"',
    async (path) => {
      const root = folder();
      bin(root, 'bin', 'echo v1.0.0');
      expect(await nodeInUse(root, { path, client: '', running })).toBe(running.version);
    },
  );
});
