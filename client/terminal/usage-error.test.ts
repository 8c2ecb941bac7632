/** The errors for command lines that commander refuses. */
import { CommanderError } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeProgram } from '../program.ts';
import { usageError } from './usage-error.ts';

const nothing = (): void => {};
const hooks = { execute: async (): Promise<void> => {}, chosen: nothing, helped: nothing };

async function problemOf(...words: string[]): Promise<string> {
  const program = makeProgram({ ...hooks, output: { out: nothing, error: nothing } });
  try {
    await program.parseAsync(['node', 'stackyard', ...words]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const command = program.commands.find((known) => known.name() === words[0]);
    const { code, message, hint } = usageError(error, program, command, words);
    expect(code).toBe('ERR_USAGE');
    return `${message} | ${hint}`;
  }
  return '';
}

describe('usageError()', () => {
  test.each([
    [['ad', 'a/x'], 'Command "ad" is unknown | did you mean add? See stackyard --help'],
    [['LIST'], 'Command "LIST" is unknown | did you mean list? See stackyard --help'],
    [['qqq'], 'Command "qqq" is unknown | see stackyard --help'],
    [
      ['list', '--jsno'],
      'Option "--jsno" is unknown | did you mean --json? See stackyard list --help',
    ],
    [['list', '-Z'], 'Option "-Z" is unknown | see stackyard list --help'],
    [
      ['add', 'a/x', '--dry-run=no'],
      'Option --dry-run takes no value, and has "no" | write --dry-run alone; see stackyard add --help',
    ],
    [
      ['-C', '.', 'list'],
      'Option "-C" stands before the command | options follow the command: stackyard list -C; see stackyard --help',
    ],
    [
      ['--json'],
      'Option "--json" stands before the command | options follow the command: stackyard <command> --json; see stackyard --help',
    ],
    [
      ['view'],
      'Argument <build> is missing | write stackyard view <build> [file]; see stackyard view --help',
    ],
    [
      ['list', '-C'],
      'Option --cwd has no value | write it as -C, --cwd <folder>; see stackyard list --help',
    ],
    [
      ['search', '--kind', 'x y'],
      'Option --kind is "x y" | the choices are module, foundation; see stackyard search --help',
    ],
    [
      ['cache', 'emp\nty'],
      'Argument <action> is "emp\\nty" | the choices are dir, verify, clean; see stackyard cache --help',
    ],
    [
      ['info', 'a/x', 'b/x'],
      'Command "info" takes 1 argument, and got 2: a/x, b/x | see stackyard info --help',
    ],
    [
      ['doctor', '"'],
      'Command "doctor" takes no arguments, and got 1: \\" | see stackyard doctor --help',
    ],
    [
      ['list', '--offline', '--prefer-offline'],
      'Option --offline cannot be used with --prefer-offline | leave one of them out; see stackyard list --help',
    ],
  ])('of %j', async (words, problem) => {
    expect(await problemOf(...words)).toBe(problem);
  });

  test('begins with a capital and names a way out, whatever is written', async () => {
    const word = fc.oneof(
      fc.string({ minLength: 1 }).map((text) => `--${text}`),
      fc.string({ minLength: 1 }),
      fc.constantFrom('--kind', '--limit', '-C', '--json', 'x', '--offline', '--prefer-offline'),
    );
    const command = fc.constantFrom('list', 'cache', 'schema', 'lst', 'why', 'doctor', 'Why');
    await fc.assert(
      fc.asyncProperty(command, fc.array(word, { maxLength: 4 }), async (name, words) => {
        const problem = await problemOf(name, ...words);
        expect(problem).toMatch(/^$|^[A-Z].* \| .*[sS]ee stackyard /s);
      }),
    );
  });
});
