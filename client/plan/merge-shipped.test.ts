import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  mergeShipped,
  mergeEnv,
  npmNameOf,
  pipNameOf,
  readIdentity,
  withIdentity,
} from './merge-shipped.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('mergeShipped()', () => {
  const BASE = bytes('{\n  "scripts": {\n    "a": "1",\n    "b": "1"\n  }\n}\n');
  const OURS = bytes('{\n  "scripts": {\n    "a": "2",\n    "b": "1"\n  }\n}\n');
  const THEIRS = bytes('{\n  "scripts": {\n    "a": "1",\n    "b": "2"\n  }\n}\n');

  test('merges adjacent lines of a package.json by entry', () => {
    const merge = mergeShipped('app/package.json', BASE, OURS, THEIRS, {});
    expect(merge.kind === 'merged' && Buffer.from(merge.bytes).toString()).toBe(
      '{\n  "scripts": {\n    "a": "2",\n    "b": "2"\n  }\n}\n',
    );
  });

  test('merges other files by lines, so that adjacent lines conflict', () => {
    expect(mergeShipped('app/data.json', BASE, OURS, THEIRS, {}).kind).toBe('conflict');
  });

  test('falls back to lines for a package.json with a conflicting entry', () => {
    const theirs = bytes('{\n  "scripts": {\n    "a": "3",\n    "b": "1"\n  }\n}\n');
    expect(mergeShipped('package.json', BASE, OURS, theirs, {}).kind).toBe('conflict');
  });

  test('marks both files where neither has a base', () => {
    const merge = mergeShipped('a.ts', undefined, bytes('ours\n'), bytes('theirs\n'), {});
    expect(merge).toMatchObject({ kind: 'conflict', reason: 'added-by-both' });
    const marked = merge.kind === 'conflict' ? merge.marked?.bytes : undefined;
    expect(Buffer.from(marked ?? []).toString()).toContain('<<<<<<< yours\nours\n');
  });
});

describe('mergeShipped() of what names a project', () => {
  const file = (name: string, version: string, zod: string): Uint8Array =>
    bytes(`{\n  "name": "${name}",\n  "version": "${version}",\n  "zod": "${zod}"\n}\n`);

  test.each([
    ['keeps the names where the build changes its own', file('starter', '2.0.0', '1'), undefined],
    ['takes other changes', file('starter', '2.0.0', '2'), file('shop', '0.1.0', '2')],
    ['keeps all where only the names of the build changed', file('kit', '3.0.0', '1'), undefined],
  ])('%s', (_, theirs, expected) => {
    const base = file('starter', '1.0.0', '1');
    const merge = mergeShipped('package.json', base, file('shop', '0.1.0', '1'), theirs, {});
    if (expected === undefined) expect(['keep', 'unchanged']).toContain(merge.kind);
    else expect(merge).toEqual({ kind: 'merged', bytes: expected });
  });

  test('in pyproject.toml, where the lines are adjacent', () => {
    const python = (name: string, version: string, rest: string): Uint8Array =>
      bytes(`[project]\nname = "${name}"\nversion = "${version}"\n${rest}\n`);
    const merge = mergeShipped(
      'pyproject.toml',
      python('starter', '1.0.0', 'x = 1'),
      python('shop', '0.1.0', 'x = 1'),
      python('starter', '2.0.0', 'x = 2'),
      {},
    );
    expect(merge).toEqual({ kind: 'merged', bytes: python('shop', '0.1.0', 'x = 2') });
  });
});

const BASE = 'HOST=\nPORT=3000\n\n# Origins\nORIGINS=\n';
const BLOCK = '\n# acme/mail\nMAIL_URL=\n';

describe('mergeEnv()', () => {
  test('puts appended variables after those that the new version appends', () => {
    const theirs = `${BASE}\nDOCS=\n`;
    expect(mergeEnv(BASE, BASE + BLOCK, theirs)).toEqual({ kind: 'clean', text: theirs + BLOCK });
  });

  test('also where the new version moves the last variable, and the user edits another', () => {
    const theirs = 'HOST=\nPORT=3000\n\n# Docs\nDOCS=\n';
    const ours = BASE.replace('HOST=', 'HOST=::') + BLOCK;
    expect(mergeEnv(BASE, ours, theirs)).toEqual({
      kind: 'clean',
      text: theirs.replace('HOST=', 'HOST=::') + BLOCK,
    });
  });

  test('ends the last line of the new version first', () => {
    expect(mergeEnv('A=1', 'A=1\nB=1\n', 'A=1\nC=1')).toEqual({
      kind: 'clean',
      text: 'A=1\nC=1\nB=1\n',
    });
  });

  test('is a conflict where both have the variable, or both edit a line', () => {
    expect(mergeEnv(BASE, `${BASE}DOCS=on\n`, `${BASE}\nDOCS=off\n`).kind).toBe('conflict');
    const ours = BASE.replace('3000', '1') + BLOCK;
    expect(mergeEnv(BASE, ours, BASE.replace('3000', '2')).kind).toBe('conflict');
  });

  test('takes the favoured side of a conflict', () => {
    const ours = BASE.replace('3000', '1') + BLOCK;
    const { kind, text } = mergeEnv(BASE, ours, BASE.replace('3000', '2'), { favor: 'ours' });
    expect([kind, text]).toEqual(['clean', ours]);
  });

  test('loses no variable of either side', () => {
    const variables = (names: string[]): fc.Arbitrary<string[]> => fc.subarray(names);
    const text = (names: readonly string[]): string => names.map((name) => `${name}=\n`).join('');
    fc.assert(
      fc.property(
        variables(['A', 'B', 'C']),
        variables(['D', 'E']),
        variables(['F', 'G', 'H']),
        (base, appended, added) => {
          const theirs = text([...base, ...added]);
          const merge = mergeEnv(text(base), text([...base, ...appended]), theirs);
          expect(merge.kind).toBe('clean');
          const names = [...base, ...added, ...appended];
          expect(Object.keys(parseEnv(merge.text)).sort()).toEqual(names.sort());
        },
      ),
    );
  });
});

const NEW = { name: 'shop', version: '0.1.0', description: '' };

describe('withIdentity()', () => {
  test.each([
    [
      'package.json',
      '\u{FEFF}{\r\n\t"name": "starter",\r\n\t"version" : "1.2.3", "x": {"name": "y"}\r\n}\r\n',
      '\u{FEFF}{\r\n\t"name": "shop",\r\n\t"version" : "0.1.0", "x": {"name": "y"}\r\n}\r\n',
    ],
    ['package.json', '{"private":true}', '{"private":true}'],
    ['package.json', '{"name": 1}', '{"name": 1}'],
    ['package.json', '{ broken', '{ broken'],
    [
      'pyproject.toml',
      '[project]\r\nname = "starter" # name\r\ndescription = "A"\r\n[tool.x]\r\nname = "y"\r\n',
      '[project]\r\nname = "shop" # name\r\ndescription = ""\r\n[tool.x]\r\nname = "y"\r\n',
    ],
    ['pyproject.toml', '[tool.poetry]\nversion = "1"\n', '[tool.poetry]\nversion = "0.1.0"\n'],
    ['pyproject.toml', '[tool.ruff]\nname = "y"\n', '[tool.ruff]\nname = "y"\n'],
    ['pyproject.toml', '[project\n', '[project\n'],
  ])('in %s %j', (path, before, after) => {
    expect(withIdentity(path, before, NEW)).toBe(after);
    expect(withIdentity(path, after, readIdentity(path, before))).toBe(before);
  });
});

describe('names of folders', () => {
  test.each([
    ['My App', 'my-app', 'My-App'],
    ['.hidden_', 'hidden', 'hidden'],
    ['node_modules', undefined, 'node_modules'],
    ['日本', undefined, undefined],
    ['shop.v2', 'shop.v2', 'shop.v2'],
    ['@acme', 'acme', 'acme'],
  ])('%s', (folder, npm, pip) => {
    expect([npmNameOf(folder), pipNameOf(folder)]).toEqual([npm, pip]);
  });

  test.each([
    ['fastapi', undefined],
    ['FastAPI', undefined],
    ['Ruff', undefined],
    ['shop', 'shop'],
  ])('%s in a project that needs packages', (folder, pip) => {
    const lists = 'dependencies = ["fastapi>=0.1"]\n[dependency-groups]\ndev = ["ruff"]\n';
    expect(pipNameOf(folder, `[project]\nname = "api"\n${lists}`)).toBe(pip);
    expect(pipNameOf(folder, '[project\n')).toBe(folder);
  });

  test('are valid or left out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (folder) => {
        expect(npmNameOf(folder) ?? 'a').toMatch(/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/);
        expect(pipNameOf(folder) ?? 'a').toMatch(/^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/i);
      }),
    );
  });
});
