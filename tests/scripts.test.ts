/**
 * The script tests of `tests/scripts/`: they run the program as users do, one file per command.
 * `npx vitest run tests/scripts.test.ts -u` writes the actual output into them: read it before you commit.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM } from '../client/program.ts';
import { runScript } from './scripts/run-script.ts';
import { startScriptRegistry } from './scripts/script-registry.ts';
import type { ScriptRegistry } from './scripts/script-registry.ts';
import { formatScript, parseScript } from './scripts/script.ts';

const FOLDER = join(import.meta.dirname, 'scripts');
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => basename(file, '.txt'));

let registry: ScriptRegistry;
beforeAll(async () => {
  registry = await startScriptRegistry();
});
afterAll(() => registry.close());

describe('script tests', () => {
  it.for(NAMES)('%s', { timeout: 300_000 }, async (name, { expect }) => {
    const file = join(FOLDER, `${name}.txt`);
    const script = parseScript(readFileSync(file, 'utf8'));
    const happened = await runScript(script, registry);
    await expect(formatScript(happened)).toMatchFileSnapshot(file);
  });

  it('replaces a wrong expectation, and nothing else, with the actual output', async () => {
    const script =
      '# Prose.\n$ write a.txt\n< one\n< two\n$ cat a.txt\n| o[..]\n| three\n! hm\n? 2\n';
    const happened = await runScript(parseScript(script), registry);
    expect(formatScript(happened)).toBe(
      '# Prose.\n$ write a.txt\n< one\n< two\n$ cat a.txt\n| o[..]\n| two\n',
    );
  });
});

it('every command has a script test', () => {
  const commands = PROGRAM.commands.map(({ name }) => name);
  expect(NAMES).toEqual(expect.arrayContaining(commands));
});
