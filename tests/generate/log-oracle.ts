/** The independent verifier aics-tlog, in a Python environment of its own that stays in the cache. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGE = 'aics-tlog==0.2.1';
const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/stackyard/aics-tlog-0.2.1');

/** A question with its arguments, as log-oracle.py has them. */
export type OracleCase = readonly [
  kind: 'inclusion' | 'consistency' | 'checkpoint' | 'tiles',
  ...values: unknown[],
];

/** `undefined` where the verifier is not installed and cannot be, such as without network. */
export function openOracle(): ((cases: readonly OracleCase[]) => boolean[]) | undefined {
  const python = join(FOLDER, 'bin/python');
  if (!existsSync(python) && !install()) return undefined;
  return (cases) => {
    const input = JSON.stringify(cases);
    const script = join(import.meta.dirname, 'log-oracle.py');
    const output = execFileSync(python, [script], { input, maxBuffer: 100_000_000 });
    return JSON.parse(output.toString()) as boolean[];
  };
}

function install(): boolean {
  // A folder beside it, so that an interrupted run leaves none that looks complete.
  const folder = `${FOLDER}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  const python = join(folder, 'bin/python');
  const pip = ['-m', 'pip', 'install', '-q', '--only-binary', ':all:'];
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ['python3', ['-m', 'venv', folder]],
    // It works with Python 3.11, which its metadata leaves out.
    [python, [...pip, '--no-deps', '--ignore-requires-python', PACKAGE]],
    [python, [...pip, 'cryptography']],
  ];
  const isDone = steps.every(([program, args]) => {
    return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  });
  if (isDone) renameSync(folder, FOLDER);
  else rmSync(folder, { recursive: true, force: true });
  return isDone;
}
