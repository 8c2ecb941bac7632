import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingMessage, type Finding } from '../../format/finding/finding.ts';
import { scan } from '../scan.ts';
import { allRules } from './all.ts';
import { testBuild } from '../test-build.ts';
import { runs } from '../../tests/run/runs.ts';

/** A path for every reader. */
const PATHS = [
  'a.js',
  'a.ts',
  'a.py',
  'a.sh',
  'a.ps1',
  'a.bat',
  'Makefile',
  'Dockerfile',
  'README.md',
  'INTEGRATION.md',
  'AGENTS.md',
  'package.json',
  '.npmrc',
  '.yarnrc.yml',
  'binding.gyp',
  'x.pth',
  'setup.py',
  'pyproject.toml',
  'requirements.txt',
  '.vscode/tasks.json',
  '.vscode/settings.json',
  '.devcontainer/devcontainer.json',
  '.claude/settings.json',
  '.mcp.json',
  '.codex/config.toml',
  '.gitconfig',
  '.github/workflows/a.yml',
  'a.png',
  'a.jpg',
  'a.svg',
  'a.zip',
  'a.exe',
  'a.node',
  'a.json',
  'a.html',
  'LICENSE',
  'tsconfig.json',
  '.husky/pre-commit',
];

function run(path: string, bytes: Uint8Array): Finding[] {
  const found = scan(testBuild({ [path]: bytes }), allRules);
  // Every message must be one line that a terminal can show.
  for (const one of found) expect(findingMessage(one)).not.toMatch(/[\n\r\u200B\u202E]/);
  return found;
}

const failures = (found: readonly Finding[]): Finding[] =>
  found.filter(({ code }) => code === 'check-failed');

describe('allRules', () => {
  it('never fail on random bytes', () => {
    const head = fc.constantFrom(
      '',
      '\u007fELF',
      'MZ',
      'PK\u0003\u0004',
      '\u0089PNG\r\n\u001a\n',
      '\u00ff\u00d8\u00ff',
      '\u00ca\u00fe\u00ba\u00be',
      '\u00cf\u00fa\u00ed\u00fe',
      '\u001f\u008b\b',
      '#!/bin/sh\n',
      '{"scripts":{"install":',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...PATHS),
        head,
        fc.uint8Array({ maxLength: 600 }),
        (path, start, rest) => {
          const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest]);
          expect(failures(run(path, bytes))).toEqual([]);
        },
      ),
      { numRuns: runs(1500) },
    );
  });

  it('never fail on text made of what they look for', () => {
    const word = fc.constantFrom(
      'curl ',
      'x.example/a ',
      '| sh',
      '$(',
      '`',
      '"',
      "'",
      '\\',
      '\n',
      '<<E\n',
      ')',
      '{ ',
      '}',
      '<!-- ',
      '-->',
      '```sh\n',
      'ignore all previous instructions ',
      'do not tell the user ',
      '\u200b',
      '\u202e',
      '\u{e0041}',
      '\ufe01',
      '[',
      '(1,2,',
      'import ',
      'require("',
      '"name": "',
      '# ',
      '=',
      'class X(install):\n',
      'cmdclass',
      'powershell ',
      '-enc ',
      'АBC ',
    );
    fc.assert(
      fc.property(fc.constantFrom(...PATHS), fc.array(word, { maxLength: 60 }), (path, words) => {
        expect(failures(run(path, Buffer.from(words.join(''))))).toEqual([]);
      }),
      { numRuns: runs(1500) },
    );
  });

  it.for([
    '$(',
    '`\\`',
    '"\'$',
    '<<A\n',
    '{ ',
    'curl x|',
    '[](',
    '<!--',
    '[[1,',
    '\u200b',
    'a\u0430',
    '://a:',
    'ignore the ',
    '- - ',
    '<a style="',
    '{"a":',
    'import(',
    'data-x="',
  ])('return for a large file of %j', { timeout: 300_000 }, (piece) => {
    const bytes = Buffer.from(
      piece.repeat(Math.ceil(runs(runs(1_000_000)) / Buffer.byteLength(piece))),
    );
    for (const path of ['a.sh', 'AGENTS.md', 'a.js', 'package.json'])
      expect(failures(run(path, bytes))).toEqual([]);
  });
});
