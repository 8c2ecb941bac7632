/** Reads the tarball of a client: the version in it, and the digest that `registry.json` states. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { formatIntegrity, sha256Hex } from '../../format/archive/integrity.ts';
import { readTarball, packTarball } from '../../format/archive/tarball.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { isVersion } from '../../format/version/version.ts';
import { GeneratorError } from '../errors.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepBuilt } from '../write-whole.ts';

/** A client that can be served. */
export interface ClientPackage {
  readonly version: string;
  readonly bytes: Uint8Array;
  readonly integrity: string;
}

const PROGRAM = 'dist/stackyard.mjs';

const ClientManifest = z.object({
  name: z.literal('stackyard'),
  version: z.string().refine(isVersion, { error: 'not a version' }),
  bin: z.object({ stackyard: z.literal(PROGRAM) }),
});

/**
 * @param place where the bytes come from, for messages
 * @throws {GeneratorError} `ERR_CLIENT_PACKAGE` for anything but the package of a client
 */
export function readClientPackage(bytes: Uint8Array, place: string): ClientPackage {
  try {
    const entries = new Map(readTarball(bytes).map((entry) => [entry.path, entry]));
    const manifest = entries.get('package.json')?.bytes ?? new Uint8Array();
    const { version } = parseDocument(ClientManifest, manifest, `"package.json" of "${place}"`);
    if (entries.get(PROGRAM)?.executable !== true) {
      throw new GeneratorError('ERR_CLIENT_PACKAGE', `"${place}" has no program "${PROGRAM}"`);
    }
    return { version, bytes, integrity: digestOf(bytes) };
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    throw new GeneratorError('ERR_CLIENT_PACKAGE', `Cannot serve a client: ${cause.message}`, {
      cause,
      hint: 'give the file "/client/stackyard.tgz" of a registry, or one that "npm run build" made',
    });
  }
}

/** As `integrity` in `registry.json`. */
export function digestOf(bytes: Uint8Array): string {
  return formatIntegrity(createHash('sha256').update(bytes).digest());
}

/**
 * The client of a registry with a public address: its package.json names it, because a global install by npm keeps no trace of
 * where a package came from.
 *
 *     { "name": "stackyard", ..., "stackyard": { "registry": "https://registry.example" } }
 */

/** To compress a client again takes longer than an incremental run has time. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/stackyard-addressed-client');
const MANIFEST = 'package.json';

/** @param address of the registry; empty where it has no public one: then the client stays as it is */
export function withAddress(
  client: ClientPackage | undefined,
  address: string,
): ClientPackage | undefined {
  if (client === undefined || address === '') return client;
  const key = sha256Hex(Buffer.from(`${client.integrity} ${address}`));
  const file = join(CACHE, `${key}.tgz`);
  const bytes = existsSync(file) ? readFileSync(file) : pack(client.bytes, address);
  if (!existsSync(file)) keepBuilt(CACHE, file, bytes);
  return { ...client, bytes, integrity: digestOf(bytes) };
}

function pack(bytes: Uint8Array, registry: string): Uint8Array {
  const entries = readTarball(bytes).map((entry) => {
    if (entry.path !== MANIFEST) return entry;
    const manifest = JSON.parse(Buffer.from(entry.bytes).toString()) as object;
    const named = { ...manifest, stackyard: { registry } };
    return { ...entry, bytes: Buffer.from(`${JSON.stringify(named, null, 2)}\n`) };
  });
  return packTarball(entries);
}
