import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { registeredFolder } from './state-folder.ts';

function repository(layout?: string): string {
  const root = mkdtempSync(join(tmpdir(), 'stackyard-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'builds'));
  if (layout !== undefined)
    writeFileSync(join(root, 'registry.config.json'), JSON.stringify({ layout }));
  return root;
}

test.each([
  [undefined, 'builds/alice/web', { owner: 'alice', name: 'web' }],
  ['flat', 'builds/alice/web', { owner: 'alice', name: 'web' }],
  ['flat', 'builds/2b/d8/alice/web', undefined],
  [undefined, 'builds/2b/d8/alice/web', undefined],
  ['sharded', 'builds/2b/d8/alice/web', { owner: 'alice', name: 'web' }],
  ['sharded', 'builds/00/00/alice/web', undefined],
  ['sharded', 'builds/2b/d8/alice/web/src', undefined],
  // A publisher who does not know the layout yet: "publish" puts the build where it belongs.
  ['sharded', 'builds/alice/web', { owner: 'alice', name: 'web' }],
  [undefined, 'src/alice/web', undefined],
  [undefined, 'web', undefined],
])('registeredFolder() with layout %j: %s is %j', (layout, path, expected) => {
  expect(registeredFolder(join(repository(layout), path))).toEqual(expected);
});

test('registeredFolder() of the top of the file system is undefined', () => {
  expect(registeredFolder('/')).toBeUndefined();
});
