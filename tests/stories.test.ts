/**
 * The script tests of `tests/stories/`: they run the program as users do, one file per command.
 * `npx vitest run tests/stories.test.ts -u` writes the actual output into them: read it before you commit.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pool } from '../client/registry/network/pool.ts';
import { makeProgram } from '../client/program.ts';
import { runStory } from './stories/run-story.ts';
import { startStoryRegistry } from './stories/story-registry.ts';
import type { StoryRegistry } from './stories/story-registry.ts';
import { formatStory, parseStory } from './stories/story.ts';

const FOLDER = join(import.meta.dirname, 'stories');
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => basename(file, '.txt'));

const pool = new Pool(availableParallelism());
let registry: StoryRegistry;
beforeAll(async () => {
  registry = await startStoryRegistry();
});
afterAll(() => registry.close());

describe('script tests', () => {
  it.concurrent.for(NAMES)('%s', { timeout: 300_000 }, async (name, { expect }) => {
    const file = join(FOLDER, `${name}.txt`);
    const story = parseStory(readFileSync(file, 'utf8'));
    const happened = await pool.run(() => runStory(story, registry));
    await expect(formatStory(happened)).toMatchFileSnapshot(file);
  });

  it('replaces a wrong expectation, and nothing else, with the actual output', async () => {
    const script =
      '# Prose.\n$ write a.txt\n< one\n< two\n$ cat a.txt\n| o[..]\n| three\n! hm\n? 2\n';
    const happened = await runStory(parseStory(script), registry);
    expect(formatStory(happened)).toBe(
      '# Prose.\n$ write a.txt\n< one\n< two\n$ cat a.txt\n| o[..]\n| two\n',
    );
  });
});

it('every command has a script test', () => {
  const hooks = { execute: async () => {}, chosen: () => {}, helped: () => {} };
  const output = { out: () => {}, error: () => {} };
  const commands = makeProgram({ ...hooks, output }).commands.map((command) => command.name());
  const named = NAMES.filter((name) => name !== 'help');
  expect(named.sort()).toEqual(commands.sort());
});
