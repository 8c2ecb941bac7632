/**
 * The client of a registry with a public address: its package.json names it, because a global install by npm keeps no trace of
 * where a package came from.
 *
 *     { "name": "stackyard", ..., "stackyard": { "registry": "https://registry.example" } }
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { packTarball, readTarball } from '../../format/archive/tarball.ts';
import { keepBuilt } from '../write-whole.ts';
import { digestOf, type ClientPackage } from './read-client-package.ts';

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
