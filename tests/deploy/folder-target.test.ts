/** Deployments to a folder. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import { makeSource } from './deploy-fixture.ts';

describe('file: targets', () => {
  it('become equal to the index, step by step', async () => {
    const source = await makeSource();
    const folder = join(temporaryFolder(), 'www');
    const run = async (...more: string[]) => {
      const { status, stdout, stderr } = await runCommand('deploy', [
        `file:${folder}`,
        '--out',
        source.index,
        ...more,
      ]);
      expect([status, stderr]).toEqual([0, '']);
      return stdout;
    };
    const deployed = (): Record<string, string> => {
      const files = Object.entries(readTree(folder)).filter(
        ([path]) => !path.startsWith('.deploy/'),
      );
      return Object.fromEntries(files);
    };
    await run();
    expect(deployed()).toEqual(readTree(source.index));
    expect(await run()).toContain('nothing to do');
    await source.publish({ ...build('a/x', '1.2.0'), 'builds/b': null });
    await run('--grace', '0');
    await run('--grace', '0');
    expect(deployed()).toEqual(readTree(source.index));
    rmSync(join(folder, 'heads/a/x.json'));
    writeFileSync(join(folder, 'builds/a/x/1.0.0.tgz'), 'other');
    expect(await run('--verify')).toContain(
      'repaired  builds/a/x/1.0.0.tgz\nrepaired  heads/a/x.json\n',
    );
    expect(deployed()).toEqual(readTree(source.index));
  });

  it('that hold other files are refused', async () => {
    const source = await makeSource();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'thesis.txt'), '');
    const { status, stderr } = await runCommand('deploy', [
      `file:${folder}`,
      '--out',
      source.index,
    ]);
    expect([status, stderr]).toEqual([1, expect.stringContaining('[ERR_DEPLOY_TARGET]')]);
  });
});
