/** A source file with all that it imports, as one ES module for Node.js. */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type CodeSplittingOptions, type OutputChunk, type Plugin, rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '../..');

interface Bundle {
  readonly code: string;
  /** Absolute paths of the modules that are in it. */
  readonly modules: readonly string[];
}

/** One file without parts that load later. @param entry absolute path */
export async function bundle(entry: string): Promise<Bundle> {
  const [chunk, ...others] = await chunksOf(entry, false);
  if (chunk === undefined || others.length > 0) throw new Error(`${entry} became several files`);
  return { code: chunk.code, modules: modulesOf([chunk]) };
}

/**
 * The program `stackyard`: a start for any version of Node.js, and parts beside it, which load when a command needs them.
 * @param root of the sources
 */
export async function bundleClient(root: string): Promise<{ parts: Part[]; modules: string[] }> {
  const { parts, modules } = await bundleParts(
    { main: join(root, 'client/main.ts') },
    { ending: '.mjs' },
  );
  const check = readFileSync(join(root, 'client/check-node.ts'), 'utf8');
  const start = `#!/usr/bin/env node\n${check.trim()}\nawait import('./main.mjs');\n`;
  return { parts: [{ name: CLIENT_PROGRAM, code: start }, ...parts], modules };
}

/** The file that starts the client. */
export const CLIENT_PROGRAM = 'stackyard.mjs';

/** A file of a program, beside the others. */
interface Part {
  readonly name: string;
  readonly code: string;
}

/** How the parts of programs are made. */
interface PartOptions {
  /** Of their file names; `.js` by default. */
  readonly ending?: '.js' | '.mjs';
  /** Packages that are not in them. */
  readonly external?: readonly string[];
  readonly plugins?: readonly Plugin[];
}

/**
 * Programs in several files that import each other, next to each other in one folder; each `<name>.js`. A program
 * alone is in a file that no other one imports: what it shares with the parts that load later is in another file.
 */
export async function bundleParts(
  entries: Readonly<Record<string, string>>,
  options: PartOptions = {},
): Promise<{ parts: Part[]; modules: string[] }> {
  const [program, ...others] = Object.values(entries);
  const start: CodeSplittingOptions = {
    groups: [{ name: 'start', tags: ['$initial'], test: (id) => id !== program }],
  };
  const chunks = await chunksOf(entries, others.length > 0 || start, options);
  const parts = chunks.map(({ fileName, code }) => ({ name: fileName, code }));
  return { parts, modules: modulesOf(chunks) };
}

async function chunksOf(
  entry: string | Readonly<Record<string, string>>,
  codeSplitting: boolean | CodeSplittingOptions,
  { ending = '.js', external = [], plugins = [] }: PartOptions = {},
): Promise<OutputChunk[]> {
  const build = await rolldown({
    input: typeof entry === 'string' ? entry : { ...entry },
    cwd: ROOT,
    platform: 'node',
    external: [...external],
    plugins: [...plugins, lazyBuiltins(), leanUndici(), leanSdk()],
    // The UMD builds that `main` names load their parts by `require`, which cannot be followed.
    resolve: { mainFields: ['module', 'main'] },
    treeshake: { propertyReadSideEffects: false },
    // Modules are compiled when a command needs them: most calls need few.
    optimization: { pifeForModuleWrappers: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`${log.code}: ${log.message}`);
    },
  });
  try {
    const { output } = await build.generate({
      format: 'esm',
      codeSplitting,
      comments: { legal: true, annotation: false, jsdoc: false },
      chunkFileNames: `[name]${ending}`,
      entryFileNames: `[name]${ending}`,
    });
    return output.filter((part) => part.type === 'chunk');
  } finally {
    await build.close();
  }
}

function modulesOf(chunks: readonly OutputChunk[]): string[] {
  return chunks.flatMap((chunk) =>
    Object.entries(chunk.modules)
      .filter(([, module]) => module.renderedLength > 0)
      .map(([id]) => id),
  );
}

/**
 * Modules of Node.js load when the code that needs them runs. As imports they would all load before the
 * first line: that takes longer than `--help` itself, and a Node.js version without one of their names would
 * exit with a syntax error instead of the message that it is too old.
 */
function lazyBuiltins(): Plugin {
  const MARK = '\0builtin:';
  return {
    name: 'lazy-builtins',
    resolveId(source, importer, { kind }) {
      // The bundler's own first lines come before everything, these modules too.
      if (!isBuiltin(source) || importer?.startsWith('\0rolldown') === true) return undefined;
      // A namespace would hold the names that the Node.js of the build has: other bytes on each version.
      const form = kind === 'import-statement' ? 'import' : 'require';
      return `${MARK}${form}:${source.replace(/^node:/, '')}`;
    },
    load(id) {
      if (!id.startsWith(MARK)) return undefined;
      const [form = '', name = ''] = id.slice(MARK.length).split(':');
      const module = `process.getBuiltinModule(${JSON.stringify(`node:${name}`)})`;
      if (form === 'require') return `module.exports = ${module};`;
      const names = Object.keys(process.getBuiltinModule(`node:${name}`) as object);
      const exported = names
        .filter((key) => key !== 'default' && key !== 'module.exports')
        .sort()
        .map((key) => `export const ${key} = builtin.${key};`);
      return `const builtin = ${module};\nexport default builtin;\n${exported.join('\n')}\n`;
    },
  };
}

/**
 * undici without its `fetch`, WebSocket, mocks and caches, which nothing here uses and which are two
 * thirds of it. An import of any other name fails the build.
 */
function leanUndici(): Plugin {
  const LEAN = `
    import Agent from './lib/dispatcher/agent.js';
    import Dispatcher from './lib/dispatcher/dispatcher.js';
    import EnvHttpProxyAgent from './lib/dispatcher/env-http-proxy-agent.js';
    import api from './lib/api/index.js';
    import util from './lib/core/util.js';

    Object.assign(Dispatcher.prototype, api);

    export { Agent, EnvHttpProxyAgent };

    /** Like undici's own function: of a URL, with a dispatcher. */
    export function request(address, { dispatcher, ...options }) {
      const url = util.parseURL(address);
      const path = \`\${url.pathname}\${url.search}\`;
      return api.request.call(dispatcher, { method: 'GET', ...options, origin: url.origin, path });
    }
  `;
  return {
    name: 'lean-undici',
    load(id) {
      if (id.endsWith('/node_modules/undici/index.js')) return { code: LEAN, moduleType: 'js' };
      // Request bodies of forms, which are never sent.
      if (id.endsWith('/undici/lib/web/fetch/body.js')) return 'module.exports = {};';
      return undefined;
    },
  };
}

/** What the protocol's SDK loads and this client never needs, by the end of the path. */
const UNUSED_IN_SDK: Readonly<Record<string, string>> = {
  // Checks what users type into forms of a server; this one has none.
  '/sdk/dist/esm/validation/ajv-provider.js': 'export class AjvJsonSchemaValidator {}',
  // Schemas of an older zod.
  '/zod/v3/index.js': 'export const object = undefined;',
  '/zod-to-json-schema/dist/esm/index.js': 'export const zodToJsonSchema = undefined;',
};

function leanSdk(): Plugin {
  return {
    name: 'lean-sdk',
    load(id) {
      return Object.entries(UNUSED_IN_SDK).find(([end]) => id.endsWith(end))?.[1];
    },
  };
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/**
 * One text with the licences of all packages among `modules`, sorted by name.
 * @throws {Error} for a package that states no licence
 */
export function licenceTexts(root: string, modules: readonly string[]): string {
  const folders = new Map<string, string>();
  for (const module of modules) {
    const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(module) ?? [];
    if (folder !== undefined && name !== undefined) folders.set(folder, name);
  }
  const packages = [...folders].map(([folder, name]) => ({ name, ...readPackage(folder) }));
  packages.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
  const texts = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text.trim()}\n`,
  );
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  const head = `stackyard\n\n${own.trim()}\n\nThe program holds code of the packages below.\n`;
  return [head, ...texts].join(`\n${'-'.repeat(72)}\n\n`);
}

function readPackage(folder: string): { version: string; license: string; text: string } {
  const { version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { version: string; license?: string; author?: string | { name: string } };
  if (license === undefined) throw new Error(`There is no licence in ${folder}`);
  const files = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort();
  const by = typeof author === 'object' ? author.name : (author ?? 'its authors');
  const text =
    files.length === 0
      ? `By ${by}, under ${license}: the package has no file with the text.`
      : files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { version, license, text };
}
