/**
 * Carries out the steps of an INTEGRATION.md in a project made from one of our starters in TypeScript. The guide
 * describes the place of each edit in words, this file in code; the text to insert comes from the guide.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSteps } from './guide.ts';

type Blocks = readonly (readonly string[])[];
type CarryOut = (project: string, blocks: Blocks) => void;

const CARRY_OUT: Readonly<Record<string, CarryOut>> = {
  'stackyard/sqlite': (project, [ignore, migrations, imports, opening, database]) => {
    appendFileSync(join(project, '.gitignore'), only(ignore));
    writeFileSync(join(project, 'src/migrations.ts'), only(migrations));
    writeFileSync(join(project, 'src/db.ts'), only(database));
    edit(project, 'src/server.ts', (text) => {
      const withImports = afterLastImport(text, only(imports));
      return afterLine(withImports, 'process.loadEnvFile(', only(opening));
    });
  },
  'stackyard/account': integrateAccount,
  'stackyard/account-hono': integrateAccount,
};

/**
 * Integrates the build `id`, which must be installed in `project`.
 * @param guide its INTEGRATION.md
 * @throws {Error} when the build is unknown, or the place of a step is missing
 */
export function carryOut(project: string, id: string, guide: string): void {
  const work = CARRY_OUT[id];
  if (work === undefined) throw new Error(`The places of the steps of "${id}" are not known`);
  work(
    project,
    readSteps(guide).map((step) => step.blocks),
  );
}

function integrateAccount(project: string, [lists, imports, account, mounting]: Blocks): void {
  const [listImport, list] = lists ?? [];
  const [call, typeImport, parameter, entry] = mounting ?? [];
  edit(project, 'src/migrations.ts', (text) => {
    return replace(afterLastImport(text, listImport ?? ''), '[own]', (list ?? '').trim());
  });
  edit(project, 'src/server.ts', (text) => {
    const withImports = afterLastImport(text, only(imports));
    const withAccount = afterLine(withImports, "process.once('exit'", only(account));
    return replace(withAccount, 'createRoutes()', (call ?? '').trim());
  });
  edit(project, 'src/routes.ts', (text) => {
    const withImport = afterLastImport(text, typeImport ?? '');
    const withParameter = replace(withImport, 'createRoutes()', (parameter ?? '').trim());
    return replace(withParameter, '];', `${entry ?? ''}];`);
  });
}

function only(blocks: readonly string[] | undefined): string {
  if (blocks?.length !== 1) throw new Error(`A step has ${blocks?.length ?? 0} code blocks, not 1`);
  return blocks[0]!;
}

function edit(project: string, file: string, change: (text: string) => string): void {
  const path = join(project, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function afterLastImport(text: string, added: string): string {
  const imports = [...text.matchAll(/^import [^;]*;\n/gm)];
  const last = imports.at(-1);
  if (last === undefined) throw new Error('There is no import');
  const at = last.index + last[0].length;
  return text.slice(0, at) + added + text.slice(at);
}

function afterLine(text: string, mark: string, added: string): string {
  const at = text.indexOf(mark);
  const end = text.indexOf('\n', at) + 1;
  if (at < 0) throw new Error(`There is no line with ${mark}`);
  return text.slice(0, end) + added + text.slice(end);
}

function replace(text: string, old: string, now: string): string {
  if (!text.includes(old)) throw new Error(`There is no ${old}`);
  return text.replace(old, () => now);
}
