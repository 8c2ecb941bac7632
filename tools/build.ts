/**
 * `npm run build`: makes the published packages, the same bytes of the same sources.
 *
 * `client/dist/`: `stackyard.mjs` starts the program, whose parts are beside it, and `library.mjs` is the library; they need only Node.js;
 * `library.d.mts` has the types. `generator/dist/`: the program of a registry (`client-package.ts`).
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bundle,
  bundleClient,
  bundleParts,
  CLIENT_PROGRAM,
  licenceTexts,
} from '../generator/client-package/bundle.ts';
import { rollTypes } from './build/roll-types.ts';
import { clientPackage, PACKAGED_CLIENT } from '../generator/client-package/client-package.ts';
import { TEMPLATES } from '../generator/setup/registry-files.ts';
import { loadAssets, PACKAGED_ASSETS } from '../generator/site/assets.ts';

// The package `stackyard-registry`: the programs of the generator in a few files beside each other, and the client that
// their indexes serve.

/** Packages that the package installs: one has native code, and `pg` looks for one that has. */
const INSTALLED = ['better-sqlite3', 'pg'];

/** Builds the package into the folder `dist`. */
export async function buildRegistry(root: string, dist: string): Promise<void> {
  const entry = (path: string): string => join(root, 'generator', path);
  const { parts, modules } = await bundleParts(
    {
      'stackyard-registry': entry('main.ts'),
      worker: entry('pipeline/worker.ts'),
      examiner: entry('gate/examiner.ts'),
    },
    {
      ending: '.mjs',
      external: INSTALLED,
      plugins: [withoutBundler()],
    },
  );
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const { name, code } of parts) writeFileSync(join(dist, name), code);
  writeFileSync(join(dist, 'bin.mjs'), startOf(root), { mode: 0o755 });
  cpSync(entry(`setup/${TEMPLATES}`), join(dist, TEMPLATES), { recursive: true });
  const fonts = await writeSiteFiles(root, dist);
  const client = await clientPackage(root);
  writeFileSync(join(dist, PACKAGED_CLIENT), client!.bytes);
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES'), licenceTexts(root, [...modules, ...fonts]));
}

/** What pages load. @returns files of the packages of the typeface */
async function writeSiteFiles(root: string, dist: string): Promise<string[]> {
  const { assets, files } = await loadAssets();
  mkdirSync(join(dist, 'assets'));
  for (const { path, bytes } of files) writeFileSync(join(dist, path), bytes);
  const paths = files.map(({ path }) => path);
  writeFileSync(join(dist, PACKAGED_ASSETS), `${JSON.stringify({ assets, paths }, null, 2)}\n`);
  // In the module of pages, which is built already, or made from.
  const used = ['@fontsource-variable/geist', '@noble/hashes', 'diff'];
  return used.map((name) => join(root, 'node_modules', name, 'package.json'));
}

/** Copies what the package has beside `dist`. */
export function copyRegistryFiles(root: string, target: string): void {
  for (const file of ['package.json', 'README.md', 'LICENSE']) {
    copyFileSync(join(root, 'generator', file), join(target, file));
  }
}

/** Plain JavaScript, which also runs on a Node.js version that is too old. */
function startOf(root: string): string {
  const check = readFileSync(join(root, 'client/check-node.ts'), 'utf8');
  // better-sqlite3 needs a newer Node.js than the client does.
  const own = check
    .replaceAll('stackyard needs', 'stackyard-registry needs')
    .replace('minor < 12', 'minor < 14')
    .replace('22.12 or newer', '22.14 or newer')
    .trim();
  return `#!/usr/bin/env node\n${own}\nawait import('./stackyard-registry.mjs');\n`;
}

/** The client and the module of pages are built already: the package has no bundler. */
function withoutBundler() {
  return {
    name: 'without-bundler',
    load(id: string): string | undefined {
      if (id.endsWith('/site/browser/browser-module.ts')) {
        return 'export const browserModule = undefined;';
      }
      return id.endsWith('/client-package/bundle.ts')
        ? 'export const bundleClient = undefined, CLIENT_PROGRAM = undefined, licenceTexts = undefined;'
        : undefined;
    },
  };
}

const ROOT = join(import.meta.dirname, '..');

/** Builds the client into the folder `dist`. */
export async function buildClient(dist: string): Promise<void> {
  const { parts, modules } = await bundleClient(ROOT);
  const library = await bundle(join(ROOT, 'client/library.ts'));
  const types = rollTypes(ROOT, 'client/library.ts');
  const licences = licenceTexts(ROOT, [...modules, ...library.modules]);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const { name, code } of parts) {
    writeFileSync(join(dist, name), code, { mode: name === CLIENT_PROGRAM ? 0o755 : 0o644 });
  }
  writeFileSync(join(dist, 'library.mjs'), library.code);
  writeFileSync(join(dist, 'library.d.mts'), types);
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES'), licences);
}

if (import.meta.main) {
  const [client = join(ROOT, 'client/dist'), registry = join(ROOT, 'generator/dist')] =
    process.argv.slice(2);
  await buildClient(client);
  console.log(`Built ${client}`);
  await buildRegistry(ROOT, registry);
  console.log(`Built ${registry}`);
}
