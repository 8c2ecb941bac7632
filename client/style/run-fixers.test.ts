import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFixers, type Fixer } from './fixers.ts';
import { runFixers } from './run-fixers.ts';

let project = '';
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'stackyard-fixers-'));
  mkdirSync(join(project, '.git'));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function fixer(code: string): Fixer {
  const program = join(project, 'fixer.cjs');
  writeFileSync(program, code);
  return { command: 'fix', program, isScript: true, args: [], files: /\.ts$/, statuses: [0] };
}

const BATCH = [new Map([['a.ts', 'let a = 1;\n']])];
const LIMITS = { files: 10, characters: 1_000, timeMs: 5_000 };
const { signal } = new AbortController();

describe('runFixers()', () => {
  it('has a stage for each fixer', async () => {
    const append = fixer(
      `const fs = require('node:fs'); for (const file of process.argv.slice(2)) fs.appendFileSync(file, '//\\n')`,
    );
    const result = await runFixers(project, [append, append], BATCH, signal, LIMITS);
    const stages = ['let a = 1;\n', 'let a = 1;\n//\n', 'let a = 1;\n//\n//\n'];
    expect(result).toEqual({ styled: [new Map([['a.ts', { stages, header: '' }]])], unread: [] });
  });

  it('ends a fixer that hangs', async () => {
    const hanging = fixer('setInterval(() => {}, 1000)');
    const limits = { ...LIMITS, timeMs: 300 };
    const result = await runFixers(project, [hanging], BATCH, signal, limits);
    expect(result).toEqual({ problem: 'fix did not end within 0.3 seconds' });
  });

  it('notices a fixer that writes into the project itself', async () => {
    writeFileSync(join(project, 'own.ts'), 'own\n');
    const wild = fixer(
      `require('node:fs').writeFileSync(${JSON.stringify(join(project, 'own.ts'))}, 'other text')`,
    );
    const result = await runFixers(project, [wild], BATCH, signal, LIMITS);
    expect(result).toEqual({ problem: 'own.ts changed in the project itself meanwhile' });
    expect(readFileSync(join(project, 'own.ts'), 'utf8')).toBe('other text');
  });

  it.each([
    [{ ...LIMITS, files: 0 }, 'more than 0 files'],
    [{ ...LIMITS, characters: 5 }, 'more than 5 characters'],
  ])('runs nothing beyond the limits %j', async (limits, problem) => {
    const result = await runFixers(project, [fixer('process.exit(1)')], BATCH, signal, limits);
    expect(result).toEqual({ problem });
  });
});

describe('findFixers()', () => {
  const commands = (): string[] => findFixers(project).map(({ command }) => command);

  it('needs a dependency, a configuration and an installed program', () => {
    writeFileSync(
      join(project, 'package.json'),
      '{"devDependencies":{"prettier":"3","eslint":"9"}}',
    );
    for (const name of ['prettier', 'eslint', '@biomejs/biome']) {
      mkdirSync(join(project, 'node_modules', name), { recursive: true });
      const bin = JSON.stringify({ bin: { [name.split('/').at(-1)!]: './bin.js' } });
      writeFileSync(join(project, 'node_modules', name, 'package.json'), bin);
      writeFileSync(join(project, 'node_modules', name, 'bin.js'), '');
    }
    expect(commands()).toEqual([]);
    writeFileSync(join(project, '.prettierrc'), '{}');
    writeFileSync(join(project, 'biome.json'), '{}');
    expect(commands()).toEqual(['prettier --write']);
    writeFileSync(join(project, 'eslint.config.mjs'), '');
    expect(commands()).toEqual(['eslint --fix', 'prettier --write']);
    // As pnpm keeps what another package brings.
    mkdirSync(join(project, 'node_modules/.pnpm/node_modules'), { recursive: true });
    renameSync(
      join(project, 'node_modules/eslint'),
      join(project, 'node_modules/.pnpm/node_modules/eslint'),
    );
    expect(commands()).toEqual(['eslint --fix', 'prettier --write']);
    rmSync(join(project, 'node_modules/.pnpm/node_modules/eslint/bin.js'));
    expect(commands()).toEqual(['prettier --write']);
  });

  it('takes Python programs of a virtual environment of the project, black before the formatter of ruff', () => {
    mkdirSync(join(project, '.venv/bin'), { recursive: true });
    writeFileSync(join(project, '.venv/bin/ruff'), '');
    writeFileSync(join(project, 'pyproject.toml'), '[tool.black]\nline-length = 80\n[tool.ruff]\n');
    const python = (): string[] => commands().filter((one) => /ruff|black/.test(one));
    expect(python()).toEqual(['ruff check --fix', 'ruff format']);
    writeFileSync(join(project, '.venv/bin/black'), '');
    expect(python()).toEqual(['ruff check --fix', 'black']);
  });
});
