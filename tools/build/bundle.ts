/** One source file with all that it imports, as one ES module for Node.js. */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';
import { rolldown } from 'rolldown';

/** Native, and so not in the file: the client works without. */
const OPTIONAL = ['oxc-parser'];

export interface Bundle {
  readonly code: string;
  /** Absolute paths of the modules that are in it. */
  readonly modules: readonly string[];
}

/** @param banner the first line of the file; empty for none */
export async function bundle(entry: string, banner: string): Promise<Bundle> {
  const build = await rolldown({
    input: entry,
    cwd: process.cwd(),
    platform: 'node',
    external: OPTIONAL,
    plugins: [lazyBuiltins(), leanUndici(), leanSdk()],
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
      codeSplitting: false,
      banner,
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    const [chunk, ...others] = output;
    if (others.length > 0) throw new Error(`${entry} became more than one file`);
    const modules = Object.entries(chunk.modules)
      .filter(([, module]) => module.renderedLength > 0)
      .map(([id]) => id);
    return { code: chunk.code, modules };
  } finally {
    await build.close();
  }
}

/**
 * Modules of Node.js load when the code that needs them runs. As imports they would all load before the
 * first line: that takes longer than `--help` itself, and a Node.js that lacks one of their names would
 * end with a syntax error instead of saying that it is too old.
 */
function lazyBuiltins(): Plugin {
  const MARK = '\0builtin:';
  return {
    name: 'lazy-builtins',
    resolveId(source, importer, { kind }) {
      // The bundler's own first lines come before everything, these modules too.
      if (!isBuiltin(source) || importer?.startsWith('\0rolldown') === true) return undefined;
      const form = kind === 'require-call' ? 'require' : 'import';
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

    /** As undici's own: of a URL, with a dispatcher. */
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
