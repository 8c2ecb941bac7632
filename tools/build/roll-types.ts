/**
 * The types of a library as one declaration file that imports nothing. `tsc` writes the declarations of
 * the files that the entry imports; those that it reaches are combined, each name once. A type that a zod schema
 * infers is written from the JSON Schema of the document, so that nobody needs zod to compile.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { PlanDecisions } from '../../client/terminal/options.ts';
import { Plan } from '../../client/plan/plan.ts';
import { inputJsonSchema } from '../../format/command/parse.ts';
import { Risk, VersionNeeds, VersionState } from '../../format/index/record.ts';
import { jsonSchema } from '../../format/json-schema.ts';
import { TakeDown } from '../../format/registry/owner-file.ts';

/** Types that come from schemas. */
const DOCUMENT_TYPES: ReadonlyMap<string, () => string> = new Map(
  Object.entries({
    Risk: () => schemaType(inputJsonSchema(Risk)),
    TakeDown: () => schemaType(inputJsonSchema(TakeDown)),
    VersionNeeds: () => schemaType(inputJsonSchema(VersionNeeds)),
    VersionState: () => schemaType(inputJsonSchema(VersionState)),
    Lock: () => schemaType(jsonSchema('lock')),
    LockedBuild: () => `Lock['builds'][string]`,
    Plan: () => schemaType(inputJsonSchema(Plan)),
    PlanDecisions: () => schemaType(inputJsonSchema(PlanDecisions)),
  }),
);

/** A declaration at the top of a file. */
interface Declaration {
  readonly text: string;
  /** The file, without its ending. */
  readonly file: string;
}

interface Source {
  /** What the file declares, by name. */
  readonly own: ReadonlyMap<string, string>;
  /** Name to the file that it is imported or passed on from. */
  readonly imported: ReadonlyMap<string, string>;
  /** Names that the file exports. */
  readonly exported: ReadonlySet<string>;
}

/** @param entry the library's source, relative to `root` */
export function rollTypes(root: string, entry: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-types-'));
  try {
    const settings = join(folder, 'tsconfig.json');
    writeFileSync(settings, JSON.stringify(settingsOf(root, entry, folder)));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', settings], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return roll(folder, entry.replace(/\.ts$/, ''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those of the repository, for what the entry imports; `npm run check:types` checks them. */
function settingsOf(root: string, entry: string, outDir: string): object {
  const options = { noEmit: false, declaration: true, emitDeclarationOnly: true, noCheck: true };
  const places = { outDir, rootDir: root, typeRoots: [join(root, 'node_modules/@types')] };
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { ...options, ...places },
    include: [],
    files: [join(root, entry)],
  };
}

function roll(folder: string, entry: string): string {
  const sources = new Map<string, Source>();
  const sourceOf = (file: string): Source => {
    const known = sources.get(file) ?? readSource(folder, file);
    sources.set(file, known);
    return known;
  };
  const found = new Map<string, Declaration>();
  const include = (name: string, file: string): void => {
    const from = sourceOf(file).imported.get(name);
    if (from !== undefined) return include(name, from);
    const document = DOCUMENT_TYPES.get(name);
    const text =
      document === undefined ? sourceOf(file).own.get(name) : `type ${name} = ${document()};`;
    if (text === undefined) return;
    const before = found.get(name);
    if (before?.file === file) return;
    if (before !== undefined)
      throw new Error(`"${name}" is declared in ${before.file} and ${file}`);
    found.set(name, { text, file });
    for (const [word] of withoutComments(text).matchAll(/[A-Za-z_$][\w$]*/g)) {
      // In a type of a document, other words are names of fields.
      const { own, imported } = sourceOf(file);
      const isKnown = !DOCUMENT_TYPES.has(name) && (own.has(word) || imported.has(word));
      if (word !== name && (isKnown || DOCUMENT_TYPES.has(word))) include(word, file);
    }
  };
  const { exported } = sourceOf(entry);
  for (const name of exported) include(name, entry);
  const missing = [...exported].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`No declaration of ${missing.join(', ')}`);
  const blocks = [...found].map(([name, { text }]) => {
    const declared = /^(?:type|interface)\b/.test(text.replace(/^\/\*\*.*?\*\/\s*/s, ''))
      ? ''
      : 'declare ';
    const [, comment = '', body = text] = /^(\/\*\*.*?\*\/\s*)(.*)$/s.exec(text) ?? [];
    return `${comment}${exported.has(name) ? 'export ' : ''}${declared}${body}`;
  });
  // Without this every declaration of the file would be exported.
  return `${blocks.join('\n\n')}\n\nexport {};\n`;
}

function readSource(folder: string, file: string): Source {
  const path = join(folder, `${file}.d.ts`);
  if (!existsSync(path)) return { own: new Map(), imported: new Map(), exported: new Set() };
  const text = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, text, { lang: 'dts' });
  const own = new Map<string, string>();
  const imported = new Map<string, string>();
  const exported = new Set<string>();
  for (const node of program.body) {
    if (
      node.type === 'ImportDeclaration' ||
      (node.type === 'ExportNamedDeclaration' && node.source)
    ) {
      const from = node.source?.value ?? '';
      for (const specifier of node.specifiers) {
        const name = specifier.local.type === 'Identifier' ? specifier.local.name : '';
        if (from.startsWith('.'))
          imported.set(name, join(dirname(file), from.replace(/\.[jt]s$/, '')));
        if (node.type === 'ExportNamedDeclaration') exported.add(name);
      }
      continue;
    }
    const isExport = node.type === 'ExportNamedDeclaration';
    const declaration = isExport ? node.declaration : node;
    if (!declaration) continue;
    const names = namesOf(declaration);
    const doc = comments.findLast(({ end, type }) => {
      return type === 'Block' && end <= node.start && text.slice(end, node.start).trim() === '';
    });
    const body = text.slice(declaration.start, declaration.end).replace(/^declare\s+/, '');
    const comment = doc === undefined ? '' : `/*${doc.value}*/\n`;
    for (const name of names) {
      own.set(name, own.has(name) ? `${own.get(name)}\n${body}` : `${comment}${body}`);
      if (isExport) exported.add(name);
    }
  }
  return { own, imported, exported };
}

function namesOf(declaration: object): string[] {
  const { id, declarations = [] } = declaration as {
    id?: { name: string } | null;
    declarations?: { id: { name: string } }[];
  };
  return id ? [id.name] : declarations.map((one) => one.id.name);
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, '');
}

/** A JSON Schema of ours as a TypeScript type. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

/** @throws {Error} for a schema that no type here can express */
function schemaType(schema: Schema, indent = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((v) => JSON.stringify(v)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((s) => schemaType(s, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${schemaType(schema.items ?? {}, indent)})[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`No type for ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

function objectType(
  { properties, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  if (properties === undefined) {
    const item = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Readonly<Record<string, ${schemaType(item, indent)}>>`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([key, schema]) => {
    const doc = schema.description === undefined ? '' : `${inner}/** ${schema.description} */\n`;
    const name = /^[a-z_$][\w$]*$/i.test(key) ? key : JSON.stringify(key);
    return `${doc}${inner}readonly ${name}${required.includes(key) ? '' : '?'}: ${schemaType(schema, inner)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}
