import { expect, test, vi } from 'vitest';
import { runProgram } from './program.ts';

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly errors: string;
}

async function run(...words: string[]): Promise<Ran> {
  const [out, errors]: [string[], string[]] = [[], []];
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(console, 'log').mockImplementation((text) => void out.push(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void errors.push(`${text}\n`)),
  ];
  try {
    return { status: await runProgram(words), out: out.join(''), errors: errors.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const COMMANDS = [
  'init',
  'doctor',
  'generate',
  'serve',
  'dev',
  'deploy',
  'gate',
  'ingest',
  'matrix',
  'take-down',
  'host',
  'audit',
  'log:key',
  'log:cosign',
  'log:keep',
];

test('runProgram() prints its commands, and its version', async () => {
  const help = await run('--help');
  expect(await run()).toEqual(help);
  expect(help.status).toBe(0);
  const listed = Array.from(help.out.matchAll(/^ {2}([a-z:-]+) {2,}\S/gm), ([, name]) => name);
  expect(listed).toEqual(COMMANDS);
  expect(await run('--version')).toMatchObject({ status: 0, out: expect.stringMatching(/^\d+\./) });
});

test.each(COMMANDS)('"%s --help" describes it by the name of the program', async (name) => {
  const { status, out, errors } = await run(name, '--help');
  expect([status, errors]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage: stackyard-registry ${name}[ \n]`));
  expect(out).toContain(`\nExample: stackyard-registry ${name}`);
  expect(out).not.toContain('npm run');
});

test.each([
  ['generat', 'Command "generat" is unknown', 'did you mean generate?'],
  ['gate --nothing', 'Option "--nothing" is unknown', 'see stackyard-registry gate --help'],
  ['host push', 'Argument <job> is "push"', 'the choices are gate, settle,'],
  ['shard', 'Command "shard" is unknown', 'see stackyard-registry --help'],
  ['serve --port 65536', 'Option --port is "65536"', 'it must be a number from 0 to 65535'],
  ['serve --port x', 'Option --port is "x"', 'it must be a number from 0 to 65535'],
  ['matrix --build a', 'Option --build is "a"', 'it must be <owner>/<name>'],
  ['matrix --minutes 1.5', 'Option --minutes is "1.5"', 'it must be a number from 0 to'],
  ['matrix --registry ftp://x', 'Option --registry is "ftp://x"', 'it must be an address'],
  ['generate --threads 65', 'Option --threads is "65"', 'it must be a number from 1 to 64'],
  ['deploy file:/x --grace 9000', 'Option --grace is "9000"', 'a number from 0 to 8760'],
  ['ingest clicks', 'Argument <kind> is "clicks"', 'the choices are downloads, reports, flags'],
  ['ingest downloads', 'No access log is given', 'see stackyard-registry ingest --help'],
  ['audit', 'Argument <place> is missing', 'write stackyard-registry audit <place>'],
  ['audit index --key x', 'Option --key is "x"', 'it is no key'],
])('runProgram() refuses "%s" as wrong usage', async (line, message, hint) => {
  const { status, errors } = await run(...line.split(' '));
  expect(status).toBe(2);
  expect(errors).toContain(`error: ${message}`);
  expect(errors).toMatch(/ \[ERR_USAGE\]\nhint: /);
  expect(errors.split('\nhint: ')[1]).toContain(hint);
});

test('runProgram() returns 1 for another error, and prints no character that is not seen', async () => {
  const { status, errors } = await run('gate', '--base', 'a', '--head', 'b', '--author', 'a', '--author-id', '1', '--repo', '/nowhere\u202E'); // oxfmt-ignore
  expect(status).toBe(1);
  expect(errors).toContain('/nowhere\\u{202e}');
});
