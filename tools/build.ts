/**
 * `npm run build`: makes the published packages, the same bytes of the same sources.
 *
 * `client/dist/`: `stackyard.mjs` is the program and `library.mjs` the library, each one file that needs only Node.js;
 * `library.d.mts` has the types. `generator/dist/`: the programs of a registry (`build/registry-package.ts`).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, bundleProgram } from '../generator/client-package/bundle.ts';
import { licenceTexts } from '../generator/client-package/licence-texts.ts';
import { buildRegistry } from './build/registry-package.ts';
import { rollTypes } from './build/roll-types.ts';

const ROOT = join(import.meta.dirname, '..');

/** Builds the client into the folder `dist`. */
export async function buildClient(dist: string): Promise<void> {
  // Plain JavaScript, which also runs on a Node.js version that is too old.
  const first = readFileSync(join(ROOT, 'client/check-node.ts'), 'utf8');
  const program = await bundleProgram(join(ROOT, 'client/main.ts'), first);
  const library = await bundle(join(ROOT, 'client/library.ts'));
  const types = rollTypes(ROOT, 'client/library.ts');
  const licences = licenceTexts(ROOT, [...program.modules, ...library.modules]);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'stackyard.mjs'), program.code, { mode: 0o755 });
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
