import { describe, expect, test } from 'vitest';
import type { Lock } from '../../format/project/lock.ts';
import { PROGRAM } from '../program.ts';
import { completionCandidates } from './completion.ts';

const LOCK = {
  registries: { corp: {}, default: {} },
  builds: { 'a/x': { files: { 'src/x.ts': {} } }, 'b/y': { files: {} } },
};

function candidates(...words: string[]): Promise<string[]> {
  return completionCandidates(words, PROGRAM, () => LOCK as unknown as Lock);
}

describe('completionCandidates()', () => {
  test.each([
    ['commands', ['re'], ['registry', 'remove', 'report', 'resolve', 'restore']],
    ['options of a command', ['remove', '--ca'], ['--cascade']],
    ['choices of an option', ['add', '--on-exists', ''], ['fail', 'merge', 'skip', 'theirs']],
    ['choices of an argument', ['cache', ''], ['clean', 'clear', 'dir', 'verify']],
    ['classes of --allow', ['add', 'a/x', '--allow', 'a'], ['agent', 'all']],
    [
      'a value after "=" as bash splits it',
      ['add', '--on-exists', '='],
      ['fail', 'merge', 'skip', 'theirs'],
    ],
    ['installed builds', ['remove', 'a'], ['a/x']],
    ['registries before an id', ['add', ''], ['corp:']],
    ['installed builds and registries', ['info', ''], ['a/x', 'b/y', 'corp:']],
    ['actions of registry', ['registry', ''], ['add', 'audit', 'list', 'move', 'remove']],
    ['names to remove', ['registry', 'remove', '-C', 'x', ''], ['corp', 'default']],
    ['owners and names to move', ['registry', 'move', ''], ['a', 'b', 'corp', 'default']],
    ['names to move to', ['registry', 'move', 'a', ''], ['corp', 'default']],
    ['nothing for a new name', ['registry', 'add', ''], []],
    ['placed files', ['list', 'src'], ['src/x.ts']],
    ['of an alias those of its command', ['rm', 'a'], ['a/x']],
    ['nothing for an unknown command', ['nothing', ''], []],
  ])('returns %s', async (_, words, expected) => {
    expect(await candidates(...words)).toEqual(expected);
  });

  test('reads the lock of the folder of -C', async () => {
    const folders: string[] = [];
    await completionCandidates(['remove', '-C', 'my-app', ''], PROGRAM, (folder) => {
      folders.push(folder);
      return undefined;
    });
    expect(folders).toEqual(['my-app']);
  });

  test('returns nothing when the lock cannot be read', async () => {
    const fail = (): never => {
      throw new Error('no lock');
    };
    expect(await completionCandidates(['remove', ''], PROGRAM, fail)).toEqual([]);
  });
});
