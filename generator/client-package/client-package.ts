/**
 * The client that a registry serves: an npm package with the program and no dependencies.
 *
 *     package/package.json  README.md  LICENSE  dist/stackyard.mjs  dist/<part>.mjs...
 *     dist/THIRD-PARTY-LICENSES
 *
 * It is built from the sources beside the generator, once for each state of them, and kept below `node_modules/.cache/`.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packTarball } from '../../format/archive/tarball.ts';
import { GeneratorError } from '../errors.ts';
import { keepBuilt } from '../write-whole.ts';
import { isPackaged, packagedFile } from '../packaged.ts';
import { sourceDigest } from '../source-digest.ts';
import { digestOf, readClientPackage, type ClientPackage } from './read-client-package.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The file in the package of the generator. */
export const PACKAGED_CLIENT = 'client.tgz';
/** Private to the user of the software, like the compiled modules of the generator. */
const CACHE = join(ROOT, 'node_modules/.cache/stackyard-client');

/**
 * The package of the sources in `root`; `undefined` where there are none, as in a generator without a client.
 * @throws {GeneratorError} `ERR_CLIENT_PACKAGE` when it cannot be built
 */
export async function clientPackage(
  root: string = ROOT,
  cache: string = CACHE,
): Promise<ClientPackage | undefined> {
  if (!hasClient(root)) return undefined;
  if (isPackaged) return packagedClient();
  const file = join(cache, `${sourcesDigest(root)}.tgz`);
  const isKept = existsSync(file);
  const bytes = isKept ? readFileSync(file) : await build(root);
  if (!isKept) keepBuilt(cache, file, bytes);
  const manifest = readFileSync(join(root, 'client/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return { version, bytes, integrity: digestOf(bytes) };
}

/** Whether there is one: in the package of the generator, or to build from the sources in `root`. */
export function hasClient(root: string = ROOT): boolean {
  return existsSync(isPackaged ? packagedFile(PACKAGED_CLIENT) : join(root, 'client/main.ts'));
}

/** The one that was built with the package of this generator. */
function packagedClient(): ClientPackage {
  const file = packagedFile(PACKAGED_CLIENT);
  return readClientPackage(readFileSync(file), file);
}

/** Everything that the bytes of the package follow from. */
function sourcesDigest(root: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, 'client'), { recursive: true, encoding: 'utf8' });
  for (const file of files.sort()) {
    const isSource = file.endsWith('.ts') && !file.endsWith('.test.ts');
    if (!isSource && !PLAIN_FILES.includes(file)) continue;
    hash.update(`${file}\0`).update(readFileSync(join(root, 'client', file)));
  }
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const entries = sources.map((file) => `client/${file}`);
  hash.update(sourceDigest('generator/client-package/client-package.ts', ...entries));
  return hash.digest('hex');
}

const PLAIN_FILES = ['package.json', 'README.md', 'LICENSE'];

async function build(root: string): Promise<Uint8Array> {
  try {
    // The bundler takes longer to load than an incremental run has time.
    const { bundleClient, CLIENT_PROGRAM, licenceTexts } = await import('./bundle.ts');
    const { parts, modules } = await bundleClient(root);
    const plain = (name: string): Buffer => readFileSync(join(root, 'client', name));
    const entry = (path: string, content: string | Uint8Array, executable = false) => {
      return { path, bytes: Buffer.from(content), executable };
    };
    return packTarball([
      entry('package.json', servedManifest(plain('package.json').toString())),
      entry('README.md', plain('README.md')),
      entry('LICENSE', plain('LICENSE')),
      ...parts.map(({ name, code }) => entry(`dist/${name}`, code, name === CLIENT_PROGRAM)),
      entry('dist/THIRD-PARTY-LICENSES', licenceTexts(root, modules)),
    ]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new GeneratorError('ERR_CLIENT_PACKAGE', `Cannot build the client: ${reason}`, {
      cause,
      hint: 'run "npm ci" in the folder of the generator; or give a built client with --client, or none with --no-client',
    });
  }
}

/** The manifest without the library, whose files are not served. */
function servedManifest(text: string): string {
  const {
    exports: _exports,
    files: _files,
    ...manifest
  } = JSON.parse(text) as Record<string, unknown>;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
