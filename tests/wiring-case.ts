/**
 * The form of a wiring case: what the project is like, what is expected of each step, the files of the project, and
 * those that differ afterwards.
 *
 *     # An application in one file.
 *     guide express
 *     added 1 src/account.wire.ts
 *     by_hand 2 @express: several places make an application: src/a.ts, src/b.ts
 *
 *     -- src/app.ts --
 *     const app = express();
 *     -- src/app.ts (wired) --
 *     const app = express();
 *     mountAccount(app);
 *
 * A file may be `crlf`: its lines end with CR and LF.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseWiring, type WiredStep } from '../format/wiring/wiring.ts';
import type { BuildWiring } from '../client/wire/wire-build.ts';
import { ProjectTexts } from '../client/wire/project-texts.ts';
import { resolveModule } from '../client/wire/resolve-module.ts';
import { prefixesOf } from '../client/wire/mounted-paths.ts';
import { type CodeStyle, readStyle } from '../client/wire/code-style.ts';
import { importRewriter } from '../client/wire/wire-builds.ts';
import { Layout } from '../client/plan/place/layout.ts';
import { splitSections } from './file-sections.ts';

export interface WiringCase {
  readonly name: string;
  readonly guide: string;
  /** `added 1 src/app.ts`, and the reason of a step by hand. */
  readonly expected: readonly string[];
  readonly files: ReadonlyMap<string, string>;
  /** The files that differ after the wiring. */
  readonly wired: ReadonlyMap<string, string>;
}

const FOLDER = join(import.meta.dirname, 'wiring');

export const WIRING_CASES: readonly WiringCase[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.txt'))
  .sort()
  .map((file) => parseWiringCase(file.slice(0, -4), readFileSync(join(FOLDER, file), 'utf8')));

function parseWiringCase(name: string, text: string): WiringCase {
  const { head, sections } = splitSections(text);
  const lines = head.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [, guide = 'express'] = /^guide (\S+)$/.exec(lines[0] ?? '') ?? [];
  const files = new Map<string, string>();
  const wired = new Map<string, string>();
  for (const { path, marks, body } of sections) {
    const content = marks.includes('crlf') ? body.replaceAll('\n', '\r\n') : body;
    (marks.includes('wired') ? wired : files).set(path, content);
  }
  return {
    name,
    guide,
    expected: lines.filter((line) => !line.startsWith('guide ')),
    files,
    wired,
  };
}

/** The steps of `tests/wiring/guides/<name>.md`. */
function stepsOf(guide: string): readonly WiredStep[] {
  return parseWiring(readFileSync(join(FOLDER, 'guides', `${guide}.md`), 'utf8')).steps;
}

/** The module of every guide, where it is installed. */
const BASES: Readonly<Record<string, string>> = { fastapi: 'app/account', flat: 'account' };

/** The wiring of the module of `guide` in a project. */
export function buildOf(
  guide: string,
  files: ReadonlyMap<string, string>,
  { steps = stepsOf(guide), place }: { steps?: readonly WiredStep[]; place?: string } = {},
): { build: BuildWiring; texts: ProjectTexts } {
  const base = BASES[guide] ?? 'src/account';
  const isPython = guide === 'fastapi';
  const own = isPython ? ['__init__.py', 'router.py'] : ['index.ts'];
  const layout = new Layout([
    { id: 'alice/account', base, place: place ?? base, files: own, requires: [] },
  ]);
  const blocks = steps.flatMap(({ alternatives }) => alternatives.flat());
  const aliases = { aliases: [{ pattern: '@/*', targets: ['src/*'] }], baseUrl: undefined };
  const rewrite = importRewriter(
    {
      layout,
      build: layout.get('alice/account')!,
      style: undefined,
      alias: undefined,
      packages: new Set(),
      aliases: () => aliases,
      pythonRoots: () => ['src', ''],
      hasModule: (path) => files.has(path),
    },
    blocks.flatMap(({ verb, target }) => (verb === 'file' ? [target] : [])),
  );
  const has = (path: string): boolean => files.has(path);
  const isEs = (files.get('package.json') ?? '').includes('"module"');
  const texts = new ProjectTexts({
    paths: [...files.keys()].filter((path) => !path.includes('.wire.')).sort(),
    read: (path) => files.get(path),
    isOfModule: (path) => path.startsWith(`${place ?? base}/`),
    isEsPackage: () => isEs,
    resolve: (from, specifier) => resolveModule(from, specifier, aliases, has),
    isTaken: () => false,
  });
  const styleOf = (path: string): CodeStyle => {
    const isPython = path.endsWith('.py');
    const alike = [...files].filter(([other]) => /\.(?:[jt]sx?|py)$/.test(other));
    const own = alike.filter(([other]) => other.endsWith('.py') === isPython);
    return readStyle(own.map(([, text]) => text).join('\n'));
  };
  const context = {
    home: base.split('/').slice(0, -1).join('/'),
    rewrite,
    prefixes: prefixesOf(blocks),
    styleOf,
  };
  const build = { id: 'alice/account', steps, context, previous: [] };
  return { build: { ...build, isRepeated: false, onConflict: 'fail' }, texts };
}
