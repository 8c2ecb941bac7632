/** Reads the tarball of a client: the version in it, and the digest that `registry.json` states. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { formatIntegrity } from '../../format/archive/integrity.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { isVersion } from '../../format/version/version.ts';
import { GeneratorError } from '../errors.ts';

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
