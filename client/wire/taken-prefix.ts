/** Whether a path that a build mounts is in use in the project. What is not certain counts as in use. Pure. */
import type { WireBlock } from '../../format/wiring/wiring.ts';
import type { Code } from './code.ts';
import type { FoundApplication } from './find-application.ts';
import { Routers } from './javascript/routers.ts';
import { codeLanguageOf } from './open-code.ts';
import type { ProjectTexts } from './project-texts.ts';

/** `.use('/auth', ...)`, `prefix: '/auth'`, `prefix="/auth"` */
const MOUNTED =
  /(?:\.(?:use|route|mount|get|post|put|patch|delete|all|include_router)\s*\(|\b(?:prefix|path|url)\s*[:=])\s*(["'`])(\/[^"'`\s${}*]{1,100})\1/g;

/** The paths that the blocks of a build mount. */
export function prefixesOf(blocks: readonly WireBlock[]): string[] {
  const all = blocks.flatMap(({ text }) => mountedIn(text));
  return [...new Set(all)].filter((path) => path !== '');
}

/** The first of `prefixes` that the file, or a router that is mounted at its root, has. */
export function takenPrefix(
  code: Code,
  application: FoundApplication | undefined,
  prefixes: readonly string[],
  texts: ProjectTexts,
): string | undefined {
  if (prefixes.length === 0) return undefined;
  const inFile = prefixes.find((prefix) => code.strings.some((text) => isUnder(text, prefix)));
  if (inFile !== undefined || codeLanguageOf(code.path) !== 'javascript') return inFile;
  if (application?.isOpen === true) {
    const all = texts.project.paths.flatMap((path) => mountedIn(texts.get(path) ?? ''));
    const open = prefixes.find((prefix) => all.some((path) => isUnder(path, prefix)));
    if (open !== undefined) return open;
  }
  const routers = new Routers({ read: (from, name) => texts.readModule(from, name) });
  const mounted = (application?.roots ?? []).flatMap((module) =>
    routers.reachable(code.path, module),
  );
  return prefixes.find((prefix) =>
    mounted.some((text) => strings(text).some((one) => isUnder(one, prefix))),
  );
}

function mountedIn(text: string): string[] {
  return Array.from(text.matchAll(MOUNTED), ([, , path = '']) => path.replace(/\/$/, ''));
}

function strings(text: string): string[] {
  return Array.from(text.matchAll(/(["'`])(\/[^"'`\n]{0,200})\1/g), ([, , value = '']) => value);
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
