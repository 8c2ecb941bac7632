/** Names are judged by one version of Unicode on every Node.js, and the rule of the linter that keeps it so. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { provideNode } from '../run/provide-node.ts';
import { temporaryFolder } from './git-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const JUDGE = join(import.meta.dirname, 'judge-names.ts');

interface Judged {
  readonly paths: readonly (readonly string[])[];
}

function judge(node: string): { readonly unicode: string; readonly judged: string } {
  const strip = '--experimental-strip-types';
  const print = ['-p', 'process.versions.unicode'];
  return {
    unicode: execFileSync(node, print, { encoding: 'utf8' }).trim(),
    judged: execFileSync(node, [strip, '--no-warnings', JUDGE], { encoding: 'utf8' }),
  };
}

it('judges hard names alike on each Node.js', async () => {
  const [old, own] = [judge(await provideNode('22.14.0')), judge(process.execPath)];
  // Otherwise the test would show nothing.
  expect(old.unicode).not.toBe(own.unicode);
  expect(old.judged).toBe(own.judged);
  const { paths } = JSON.parse(old.judged) as Judged;
  expect(paths[0]).toEqual(['file-path-collision']);
});

test.each([
  ["export const a = 'A'.toLowerCase();", 'toLowerCase() depends'],
  ["export const a = 'a'['toUpperCase']();", 'toUpperCase() depends'],
  ["export const a = 'a'.toLocaleLowerCase();", 'toLocaleLowerCase() depends'],
  ["export const a = 'a'.normalize('NFC');", 'normalize() depends'],
  ["export const a = 'a'.localeCompare('b');", 'localeCompare() depends'],
  ["export const a = new Intl.Collator('en');", 'Intl depends'],
  ['export const a = /\\p{L}/u;', 'A property of characters depends'],
  ["export const a = new RegExp('\\\\P{Cc}', 'u');", 'A property of characters depends'],
  ['export const a = new RegExp(String.raw`\\p{Lu}`, "u");', 'A property of characters depends'],
  ['export const a = /\u00e4/iu;', 'Case beyond ASCII depends'],
  ["export const a = new RegExp('\u00e4', 'giu');", 'Case beyond ASCII depends'],
])('stackyard/one-unicode refuses %s', (code, problem) => {
  expect(lint(code)).toContain(problem);
});

test.each([
  "import { posix } from 'node:path';\nexport const a = posix.normalize('a/../b');",
  'export const a = /[a-z]/i;',
  "export const a = { flags: 'upheld' };",
  'export const a = /\\\\\\\\p{3}/;',
])('stackyard/one-unicode allows %s', (code) => {
  expect(lint(code)).not.toContain('depends on the version');
});

/** What the linter prints about a file of `format/`, with the rule alone. */
function lint(code: string): string {
  const folder = temporaryFolder();
  const config = {
    jsPlugins: [join(ROOT, 'tools/lint/one-unicode.js')],
    rules: { 'stackyard/one-unicode': 'error' },
  };
  writeFileSync(join(folder, 'oxlint.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'a.ts'), `${code}\n`);
  const args = ['--config', 'oxlint.json', 'a.ts'];
  const program = join(ROOT, 'node_modules/.bin/oxlint');
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8' }).stdout;
}
