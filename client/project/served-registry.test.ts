import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownCommand, servedRegistry } from './served-registry.ts';

const ADDRESS = 'https://registry.example/main/client/stackyard.tgz';
const BASE = 'https://registry.example/main';

function folder(files: Readonly<Record<string, unknown>>): string {
  const made = mkdtempSync(join(tmpdir(), 'stackyard-served-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(made, dirname(path)), { recursive: true });
    writeFileSync(
      join(made, path),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return made;
}

describe('servedRegistry()', () => {
  it('reads the folder of npx and of bunx, whose program is a link in .bin', () => {
    const made = folder({
      'package.json': { dependencies: { stackyard: ADDRESS } },
      'node_modules/stackyard/dist/stackyard.mjs': '',
      'node_modules/.bin/other': '',
    });
    const bin = join(made, 'node_modules/.bin/stackyard');
    symlinkSync('../stackyard/dist/stackyard.mjs', bin);
    expect(servedRegistry(bin)).toBe(BASE);
  });

  it('reads the folder of pnpm dlx, which is outside of its store of links', () => {
    const inner = 'node_modules/.pnpm/stackyard@http+++x/node_modules/stackyard/dist/stackyard.mjs';
    const made = folder({ 'package.json': { dependencies: { stackyard: ADDRESS } }, [inner]: '' });
    expect(servedRegistry(join(made, inner))).toBe(BASE);
  });

  it('reads the folder of the link, where the link leads into a store', () => {
    const store = folder({ 'links/stackyard/dist/stackyard.mjs': '' });
    const made = folder({
      'package.json': { devDependencies: { stackyard: ADDRESS } },
      'node_modules/x': '',
    });
    symlinkSync(join(store, 'links/stackyard'), join(made, 'node_modules/stackyard'));
    expect(servedRegistry(join(made, 'node_modules/stackyard/dist/stackyard.mjs'))).toBe(BASE);
  });

  it("reads npm's list of a global folder", () => {
    const resolved = 'http://127.0.0.1:4173/client/stackyard-1.2.0.tgz#sha512-abc';
    const made = folder({
      'node_modules/.package-lock.json': { packages: { 'node_modules/stackyard': { resolved } } },
    });
    const program = join(made, 'node_modules/stackyard/dist/stackyard.mjs');
    expect(servedRegistry(program)).toBe('http://127.0.0.1:4173');
  });

  it('reads the package itself, where nothing else has the address', () => {
    const named = (registry: unknown, name = 'stackyard'): string | undefined => {
      const made = folder({
        'lib/node_modules/stackyard/package.json': { name, stackyard: { registry } },
        'lib/node_modules/stackyard/dist/stackyard.mjs': '',
        'bin/other': '',
      });
      const bin = join(made, 'bin/stackyard');
      symlinkSync('../lib/node_modules/stackyard/dist/stackyard.mjs', bin);
      return servedRegistry(bin);
    };
    expect(named(BASE)).toBe(BASE);
    for (const other of ['', 'file:///x', `${BASE}?x`, [BASE]])
      expect(named(other)).toBeUndefined();
    expect(named(BASE, 'other')).toBeUndefined();
  });

  it.each([
    ['a range', { dependencies: { stackyard: '^1.0.0' } }],
    ['a file', { dependencies: { stackyard: 'file:../client/stackyard.tgz' } }],
    [
      'another file of a host',
      { dependencies: { stackyard: 'https://host.example/stackyard.tgz' } },
    ],
    ['a query', { dependencies: { stackyard: `https://host.example/?x=/client/stackyard.tgz` } }],
    ['another package', { dependencies: { other: ADDRESS } }],
    ['no text', { dependencies: { stackyard: [ADDRESS] } }],
    ['no table', { dependencies: ADDRESS }],
    ['a list', [ADDRESS]],
    ['no JSON', `{ "dependencies": { "stackyard": "${ADDRESS}" `],
  ])('finds none in a package.json with %s', (_what, manifest) => {
    const made = folder({ 'package.json': manifest });
    expect(servedRegistry(join(made, 'node_modules/stackyard/dist/stackyard.mjs'))).toBeUndefined();
  });

  it.each([
    ['npm/_npx/1a2b', ADDRESS, `npx --yes ${ADDRESS}`],
    ['pnpm/dlx/1a2b/3c-4d', ADDRESS, `pnpm dlx ${ADDRESS}`],
    ['pnpm/dlx-1234', ADDRESS, `pnpm dlx ${ADDRESS}`],
    ['.bunx-0/stackyard@tarball@114', ADDRESS, `bunx --package ${ADDRESS} stackyard`],
    ['bunx-0-stackyard', ADDRESS, `bunx --package ${ADDRESS} stackyard`],
    // A project that has it, a package of npm, and what a shell would run.
    ['projects/app', ADDRESS, 'stackyard'],
    ['npm/_npx/1a2b', '^1.0.0', 'stackyard'],
    ['npm/_npx/1a2b', 'https://x/$(id)/client/stackyard.tgz', 'stackyard'],
  ])('and ownCommand() reads %s with %s: %s', (place, address, command) => {
    const made = folder({ [`${place}/package.json`]: { dependencies: { stackyard: address } } });
    const program = join(made, place, 'node_modules/stackyard/dist/stackyard.mjs');
    expect(ownCommand(program)).toBe(command);
  });

  it('finds none for a program that is in no node_modules', () => {
    const made = folder({ 'package.json': { dependencies: { stackyard: ADDRESS } } });
    expect(servedRegistry(join(made, 'client/main.ts'))).toBeUndefined();
    expect(servedRegistry('')).toBeUndefined();
  });
});
