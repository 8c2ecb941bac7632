/**
 * The module of the pages in a browser, built from `page/`: an entry, and the search that it loads later. The names of the
 * files have a digest. They are built once for each state of the sources, and kept below `node_modules/.cache/`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepBuilt } from '../../write-whole.ts';
import { sourceDigest } from '../../source-digest.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/stackyard-browser');
/** This file imports the bundler. */
const SOURCES = ['browser-module.ts', 'page/site.ts'].map(
  (name) => `generator/site/browser/${name}`,
);

interface BrowserFile {
  readonly name: string;
  readonly text: string;
}

/** The files of the module, its entry first. They lie in one folder. */
export async function browserModule(cache: string = CACHE): Promise<readonly BrowserFile[]> {
  const file = join(cache, `${sourceDigest(...SOURCES)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as BrowserFile[];
  const files = await build();
  keepBuilt(cache, file, JSON.stringify(files));
  return files;
}

async function build(): Promise<BrowserFile[]> {
  // The bundler takes longer to load than an incremental run has time.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: { site: join(import.meta.dirname, 'page/site.ts') },
    cwd: ROOT,
    platform: 'browser',
    tsconfig: join(import.meta.dirname, 'page/tsconfig.json'),
    // Pages load what they use: modules here do nothing when they are loaded, except the entry.
    treeshake: { moduleSideEffects: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`${log.code}: ${log.message}`);
    },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      minify: true,
      hashCharacters: 'hex',
      entryFileNames: '[name]-[hash:16].js',
      chunkFileNames: '[name]-[hash:16].js',
    });
    return output
      .filter((part) => part.type === 'chunk')
      .sort((a, b) => Number(b.isEntry) - Number(a.isEntry))
      .map(({ fileName, code }) => ({ name: fileName, text: code }));
  } finally {
    await bundle.close();
  }
}
