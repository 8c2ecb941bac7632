/**
 * A build in TypeScript as one for a JavaScript project: without types, its guide too; as CommonJS where the project is. All
 * comparisons, merges and steps are then about the files that the project has. Where programs find no TypeScript by the name of
 * its JavaScript, only the endings of relative imports go. Pure.
 */
import { integrityOf } from '../../../format/archive/integrity.ts';
import { stripTypes, type NoJavaScript } from '../../edit/javascript/strip-types.ts';
import { toCommonJs } from '../../edit/javascript/to-common-js.ts';
import { ClientError } from '../../errors.ts';
import type { BuildFile, FetchedBuild, JavaScriptForm } from '../plan.ts';
import { applyEdits } from '../../edit/text-edit.ts';
import { findSpecifiers } from './javascript-specifiers.ts';

const SOURCE = /(?<!\.d)\.[cm]?ts$/;

/** @throws {ClientError} `ERR_STACK` where a file needs TypeScript, or an ES module */
export function inJavaScript(build: FetchedBuild, form: JavaScriptForm): FetchedBuild {
  if (![...build.files.keys()].some((from) => /\.[cm]?tsx?$/.test(from))) return build;
  if (!isStripped(form)) return withoutEndings(build, form);
  const files = [...build.files].flatMap(([from, file]): [string, BuildFile][] => {
    // Types alone.
    if (/\.d\.[cm]?ts$/.test(from)) return [];
    if (!SOURCE.test(from) && !from.endsWith('.tsx')) return [[from, file]];
    const text = convert(from, Buffer.from(file.bytes).toString('utf8'), form);
    if (typeof text !== 'string') throw refused(build, from, text);
    return [[nameIn(from, form), rewritten(file, text)]];
  });
  const { manifest } = build;
  const { typescript: _, ...requires } = manifest.stack?.requires ?? {};
  const types = Object.entries(manifest.devDependencies?.npm ?? {});
  const npm = types.filter(([name]) => !name.startsWith('@types/'));
  const scripts = Object.entries(manifest.scripts ?? {}).map(([name, value]) => {
    const own = value.replaceAll(
      /(?<![\w./-])dist\/([\w/-]+)\.js(?![\w.-])/g,
      (_path, stem: string) => nameIn(`src/${stem}.ts`, form),
    );
    return [name, own] as const;
  });
  return inForm(build, form, files, {
    ...manifest,
    ...(manifest.stack === undefined ? {} : { stack: { ...manifest.stack, requires } }),
    ...(manifest.scripts === undefined ? {} : { scripts: Object.fromEntries(scripts) }),
    devDependencies: { ...manifest.devDependencies, npm: Object.fromEntries(npm) },
  });
}

function inForm(
  build: FetchedBuild,
  form: JavaScriptForm,
  files: readonly (readonly [string, BuildFile])[],
  manifest: FetchedBuild['manifest'],
): FetchedBuild {
  const { wiredGuide: guide } = build;
  const wiredGuide = guide === undefined ? {} : { wiredGuide: convertGuide(build, guide, form) };
  return { ...build, form, files: new Map(files), manifest, ...wiredGuide };
}

function rewritten(file: BuildFile, text: string): BuildFile {
  const rewrite = { shipped: integrityOf(file.bytes), imports: [] };
  return { ...file, bytes: Buffer.from(text), rewrite };
}

/** `./a.js` is `./a` in imports. */
function withoutEndings(build: FetchedBuild, form: JavaScriptForm): FetchedBuild {
  const files = [...build.files].map(([from, file]): [string, BuildFile] => {
    if (!SOURCE.test(from) && !from.endsWith('.tsx')) return [from, file];
    const text = Buffer.from(file.bytes).toString('utf8');
    const bare = dropEndings(from, text);
    return [from, bare === text ? file : rewritten(file, bare)];
  });
  const { manifest } = build;
  if (form !== 'bundled' || manifest.scripts === undefined) {
    return inForm(build, form, files, manifest);
  }
  // A bundler writes no such files that Node.js could start.
  const scripts = Object.entries(manifest.scripts).filter(
    ([, value]) => !/(?<![\w./-])dist\/[\w/-]+\.js(?![\w.-])/.test(value),
  );
  return inForm(build, form, files, { ...manifest, scripts: Object.fromEntries(scripts) });
}

/** `./core.js` becomes `./core`. */
function dropEndings(path: string, text: string): string {
  const specifiers = findSpecifiers(path, text)?.specifiers ?? [];
  return applyEdits(
    text,
    specifiers.flatMap(({ value, start, end }) => {
      const [, stem] = /^((?:\.{1,2}|[@~]|src)\/.*)\.[cm]?js$/.exec(value) ?? [];
      return stem === undefined ? [] : [{ start, end, text: stem }];
    }),
  );
}

/** Whether types go. */
function isStripped(form: JavaScriptForm): boolean {
  return form !== 'bare' && form !== 'bundled';
}

function nameIn(path: string, form: JavaScriptForm): string {
  if (!isStripped(form)) return path;
  return path.replace(/\.ts$/, form === 'mjs' ? '.mjs' : '.js').replace(/\.([cm])ts$/, '.$1js');
}

function convert(path: string, text: string, form: JavaScriptForm): string | NoJavaScript {
  const stripped = stripTypes(path, text);
  if (typeof stripped !== 'string') return stripped;
  return inModules(nameIn(path, form), stripped, form);
}

/** `text` without types, by the way in which the project loads modules. */
function inModules(path: string, text: string, form: JavaScriptForm): string | NoJavaScript {
  if (form === 'cjs' && !path.endsWith('.mjs')) return toCommonJs(path, text);
  if (form !== 'mjs') return text;
  const specifiers = findSpecifiers(path, text)?.specifiers ?? [];
  const edits = specifiers.filter(({ value }) => /^(?:\.{1,2}|[@~]|src)\/.*\.js$/.test(value));
  return applyEdits(
    text,
    edits.map((one) => ({ ...one, text: one.value.replace(/\.js$/, '.mjs') })),
  );
}

const FENCE =
  /^([ \t]*)(`{3,}|~{3,})(?:ts|mts|typescript)( wire ([a-z]+) [^\n]*)\n([^]*?)^\1\2[ \t]*$/gm;

/** The blocks of wired fences, and the files that they name. */
function convertGuide(build: FetchedBuild, guide: string, form: JavaScriptForm): string {
  return guide.replaceAll(
    FENCE,
    (_, indent: string, fence: string, info: string, verb: string, block: string) => {
      const words = info.split(' ').map((word) => (SOURCE.test(word) ? nameIn(word, form) : word));
      const text = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      const code = convertBlock(text, verb, form);
      if (typeof code !== 'string') throw refused(build, 'INTEGRATION.md', code);
      const lines = code
        .trimEnd()
        .split('\n')
        .map((line) => (line === '' ? '' : indent + line));
      const language = isStripped(form) ? 'js' : 'ts';
      return `${indent}${fence}${language}${words.join(' ')}\n${lines.join('\n')}\n${indent}${fence}`;
    },
  );
}

function convertBlock(text: string, verb: string, form: JavaScriptForm): string | NoJavaScript {
  if (!isStripped(form)) return dropEndings('block.ts', text);
  const path = form === 'mjs' ? 'block.mjs' : 'block.js';
  // An expression, or lines of text.
  if (verb !== 'file' && verb !== 'import' && verb !== 'insert') return text;
  if (verb !== 'import') return convert('block.ts', text, form);
  // What it imports is used in other blocks.
  return inModules(path, text.replaceAll(/^import type [^;]*;?\n/gm, ''), form);
}

function refused({ id }: FetchedBuild, path: string, { why }: NoJavaScript): ClientError {
  return new ClientError(
    'ERR_STACK',
    `Cannot use "${id}": its "${path}" cannot be JavaScript in this project, as ${why}`,
    { hint: 'have typescript in the project, or use another build' },
  );
}
