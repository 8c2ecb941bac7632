import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import { abandonedFolders, makeNewFolder, removeAbandoned } from './new-folder.ts';

test('removeAbandoned() keeps the folder of a running process, of another host, and links', async () => {
  const parent = temporaryFolder();
  const own = basename(await makeNewFolder(join(parent, 'app')));
  const [, host = ''] = /-\d+-([0-9a-f]{12})-/.exec(own) ?? [];
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const dead = own.replace(/stackyard-\d+/, `stackyard-${child.pid}`);
  const reused = own.replace(/-[0-9a-f]{12}(?=-[0-9a-f]{12}$)/, '-aaaaaaaaaaaa');
  const foreign = dead.replace(host, 'bbbbbbbbbbbb');
  const older = '.app.stackyard-0f8fad5b-d9cb-469f-a165-70867728950e';
  for (const name of [dead, reused, foreign, older, 'app.stackyard-1']) {
    mkdirSync(join(parent, name));
  }
  writeFileSync(join(parent, dead, 'package.json'), '{}');
  const link = dead.replace('.app.', '.link.');
  symlinkSync(dirname(parent), join(parent, link));
  const abandoned = process.platform === 'linux' ? [dead, reused] : [dead];
  expect(await abandonedFolders(parent)).toEqual(abandoned.sort());
  expect(await removeAbandoned(parent)).toEqual(abandoned);
  const left = [own, foreign, older, link, 'app.stackyard-1'];
  expect(readdirSync(parent).sort()).toEqual(
    (process.platform === 'linux' ? left : [...left, reused]).sort(),
  );
});
