/**
 * Wired fences of INTEGRATION.md that a client could not carry out without a guess: their form, the names that their
 * blocks use, and what they import.
 */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { INTEGRATION_FILE } from '../../../format/build/build-files.ts';
import { at, finding, type Finding } from '../../../format/finding/finding.ts';
import { parseWiring } from '../../../format/wiring/wiring.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { LineTable } from '../../parse/line-table.ts';
import { readSyntax, type Syntax } from '../../parse/syntax.ts';
import { tagOfImport } from '../../../format/build/stack-tag.ts';
import { namesOfTag } from '../quality/tag-interface.ts';
import { dependenciesOf } from '../../package/dependencies.ts';
import { isDeclaredNpm, isDeclaredPip } from '../../package/declared.ts';
import { importsOf, npmPackageOf } from '../../package/imports.ts';
import { guideOf, isValueBlock, wiredFiles, type WiredFile } from '../../text/wired-files.ts';
import { quote } from '../../text/quote.ts';
import type { SyntaxNode } from '../../parse/parse-javascript.ts';
import { freeNames } from './free-names.ts';

const MAX_FINDINGS = 20;
/** Packages that a project has where it has the role. */
const OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  '@express': ['express'],
  '@fastify': ['fastify'],
  '@hono': ['hono'],
  '@nest': ['@nestjs/common', '@nestjs/core'],
  '@fastapi': ['fastapi', 'starlette'],
};

export const wiring: Rule = {
  name: 'wiring',
  run: (build) => {
    const guide = guideOf(build.files);
    const { steps, findings } = parseWiring(guide);
    if (steps.length === 0) return [...findings];
    const files = wiredFiles(guide);
    const made = files.flatMap(({ blocks }) =>
      blocks.flatMap(({ verb, target }) => (verb === 'file' ? [target] : [])),
    );
    const found = files.flatMap((file) => checkFile(build, file, made));
    return [...findings, ...found].slice(0, MAX_FINDINGS);
  },
};

function checkFile(build: ScannedBuild, wired: WiredFile, made: readonly string[]): Finding[] {
  const { path, text, blocks } = wired;
  const report = (
    code: Parameters<typeof finding>[0],
    offset: number,
    args: Finding['args'],
  ): Finding => {
    const { line, column } = lines.place(offset, 0);
    return at(finding(code, INTEGRATION_FILE, args), {
      line: wired.lineInGuide(line),
      column,
      length: 0,
    });
  };
  const lines = new LineTable(text);
  const syntax = readSyntax(path, text);
  if (syntax.language === 'none') return [];
  const [block] = blocks;
  const problemAt = syntax.language === 'unread' ? 0 : syntax.problemAt;
  if (problemAt !== undefined) {
    const wanted = blocks.every(isValueBlock) ? 'one expression' : 'whole statements';
    return [report('wiring-block-syntax', problemAt, { wanted })];
  }
  const file: ScannedFile = {
    path,
    bytes: Buffer.from(text),
    executable: false,
    text,
    syntax,
    place: (offset, length) => lines.place(offset, length),
  };
  const imports = importsOf(file).flatMap(({ specifier, start }) => {
    if (tagOfImport(specifier) !== undefined) return [];
    if (mayImport(build, wired, specifier, made)) return [];
    return [report('wiring-block-import', start, { specifier: quote(specifier) })];
  });
  const given = new Set(
    blocks.flatMap(({ anchor }) => {
      if (anchor?.kind === 'routes') return ['app'];
      if (anchor?.kind === 'routers') return [anchor.name ?? 'app'];
      return [];
    }),
  );
  const names = freeNames(syntax, text).filter(({ name }) => !given.has(name));
  const unbound = names.map(({ name, start }) =>
    report('wiring-block-name', start, { name: quote(name) }),
  );
  const ofTags = tagImports(syntax).map(({ start, ...args }) => report('wiring-tag', start, args));
  return block === undefined ? [] : [...imports, ...ofTags, ...unbound];
}

/** What blocks import from tags and these do not promise. */
function tagImports(
  syntax: Syntax,
): { start: number; specifier: string; names: string; promised: string }[] {
  if (syntax.language !== 'javascript') return [];
  return syntax.imports.flatMap(({ specifier, start }) => {
    const tag = tagOfImport(specifier);
    if (tag === undefined) return [];
    const promised = namesOfTag(tag) ?? [];
    const names = syntax.program.body.flatMap((node) => {
      const isOther = (node['source'] as SyntaxNode | null | undefined)?.['value'] !== specifier;
      return isOther ? [] : namesFrom(node);
    });
    const wrong = names.filter((name) => !promised.includes(name));
    if (names.length > 0 && wrong.length === 0) return [];
    const shown = wrong.map((name) => quote(name)).join(', ');
    const text = promised.length === 0 ? 'nothing' : promised.join(', ');
    return [{ start, specifier, names: shown === '' ? 'everything' : shown, promised: text }];
  });
}

/** The names that a statement imports from its module; `*` for all of them. */
function namesFrom(node: SyntaxNode): string[] {
  if (node.type !== 'ImportDeclaration') return ['*'];
  return (node['specifiers'] as readonly SyntaxNode[]).map(({ type, imported }) => {
    const { name } = (imported ?? {}) as { readonly name?: unknown };
    return type === 'ImportSpecifier' && typeof name === 'string' ? name : '*';
  });
}

/** Whether an import reaches a file of the build, of one that it requires, or a declared package. */
function mayImport(
  build: ScannedBuild,
  { path, target }: WiredFile,
  specifier: string,
  made: readonly string[],
): boolean {
  const { manifest } = build;
  const required = Object.keys(manifest.builds ?? {}).map((id) => id.split('/')[1]!);
  const base = manifest.base ?? '';
  const provided = [...(OF_ROLE[target] ?? []), ...Object.keys(manifest.stack?.requires ?? {})];
  const dependencies = dependenciesOf(build);
  if (path.endsWith('.py')) {
    const segments = specifier.replace(/^\.+/, '').split('.');
    const isOwn = specifier.startsWith('.') || segments[0] === base.split('/')[0];
    const names = [...made.map(stemOf), base, ...base.split('/').slice(-1)].map((one) =>
      one.replaceAll('/', '.'),
    );
    const reaches = (name: string): boolean =>
      name !== '' && `${segments.join('.')}.`.startsWith(`${name}.`);
    if (isOwn) return names.some(reaches) || required.some((name) => segments.includes(name));
    return provided.includes(segments[0]!) || isDeclaredPip(build, dependencies)(specifier);
  }
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) {
    const name = npmPackageOf(specifier);
    if (name === undefined) return isBuiltin(specifier);
    return provided.includes(name) || isDeclaredNpm(build, dependencies)(name);
  }
  const folder = posix.dirname(target.startsWith('@') ? base : target);
  const found = stemOf(posix.normalize(posix.join(folder, specifier)));
  const own = build.files.map((file) => stemOf(base === '' ? file.path : `${base}/${file.path}`));
  const all = new Set([
    ...own,
    ...own.map((one) => one.replace(/\/index$/, '')),
    ...made.map(stemOf),
  ]);
  return all.has(found) || required.some((name) => found.split('/').includes(name));
}

function stemOf(path: string): string {
  return path.replace(/\.(?:d\.)?(?:[cm]?[jt]sx?|py)$/, '').replace(/\/$/, '');
}
