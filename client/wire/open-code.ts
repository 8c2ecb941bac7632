/** Opens a file of code in any language that wiring knows, and compares parts of such files. Pure. */
import type { WireLanguage, WireRole } from '../../format/wiring/wire-info.ts';
import { languageOf } from '../../scan/parse/syntax.ts';
import { canonicalJavaScript } from '../edit/compare/javascript.ts';
import type { Code, FileApplications, Range } from './code.ts';
import { findApplications } from './javascript/applications.ts';
import {
  EXPRESS,
  FASTIFY,
  type Framework,
  HONO,
  NEST,
  readJavaScript,
} from './javascript/framework.ts';
import { type Modules, Routers } from './javascript/routers.ts';
import { findFastApi } from './python/applications.ts';
import { pythonParts, readPython } from './python/code.ts';

/** Larger files are not written by people. */
export const MAX_WIRED_CHARACTERS = 1024 * 1024;

/** The language of a file of the project. */
export function codeLanguageOf(path: string): WireLanguage {
  return languageOf(path, undefined) ?? 'text';
}

/** `undefined` for a text with a syntax error, and for one that is no code. */
export function openCode(path: string, text: string): Code | undefined {
  const language = codeLanguageOf(path);
  if (text.length > MAX_WIRED_CHARACTERS) return undefined;
  if (language === 'python') return readPython(path, text);
  return language === 'javascript' ? readJavaScript(path, text) : undefined;
}

/** A word that every file with an application of a role has. */
export const ROLE_WORD: Readonly<Record<WireRole, string>> = {
  '@express': 'express',
  '@fastify': 'fastify',
  '@hono': 'hono',
  '@nest': '@nestjs/core',
  '@fastapi': 'fastapi',
};
const FRAMEWORKS: Readonly<Record<Exclude<WireRole, '@fastapi'>, Framework>> = {
  '@express': EXPRESS,
  '@fastify': FASTIFY,
  '@hono': HONO,
  '@nest': NEST,
};

/** The applications of a file; `undefined` for a file with a syntax error. */
export function applicationsOf(
  path: string,
  text: string,
  role: WireRole,
  modules: Modules,
  framework?: Framework,
): FileApplications | undefined {
  if (role === '@fastapi') {
    const python = readPython(path, text);
    return python === undefined ? undefined : findFastApi(python.tree);
  }
  const code = readJavaScript(path, text);
  if (code === undefined) return undefined;
  return findApplications(code.tree, framework ?? FRAMEWORKS[role], new Routers(modules));
}

/** Whether two parts of code differ at most in their formatting. */
export function isSameCode(path: string, a: string, b: string): boolean {
  const [one, other] = [dedent(a), dedent(b)];
  if (one === other) return true;
  if (skeletonOf(one) !== skeletonOf(other)) return false;
  try {
    const isPython = codeLanguageOf(path) === 'python';
    const read = (text: string): readonly string[] | undefined =>
      isPython ? pythonParts(text) : canonicalJavaScript(text, path);
    const [left, right] = [read(one), read(other)];
    return (
      left !== undefined && right !== undefined && JSON.stringify(left) === JSON.stringify(right)
    );
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What formatters leave as it is: enough to see that two parts differ without parsing them. */
function skeletonOf(text: string): string {
  return text.replaceAll(/[\s;,()'"`\\]+/g, '');
}

/** Without the indentation that all lines have. */
export function dedent(text: string): string {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
    .split('\n');
  const indents = lines.flatMap((line) =>
    line.trim() === '' ? [] : [/^[ \t]*/.exec(line)![0].length],
  );
  const common = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(Math.min(common, line.length))).join('\n');
}

/** The text of a range with the white space in front of it on its line. */
export function sliceOf(text: string, { start, end }: Range): string {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const lead = text.slice(line, start);
  return (lead.trim() === '' ? lead : '') + text.slice(start, end);
}
