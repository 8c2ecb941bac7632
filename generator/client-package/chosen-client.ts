/** The client that an index serves, by the options of the command. */
import { readFileSync } from 'node:fs';
import { usageError } from '../errors.ts';
import { clientPackage, hasClient } from './client-package.ts';
import { readClientPackage, type ClientPackage } from './read-client-package.ts';

/** A file, no client, or by default the one beside the generator. @throws {GeneratorError} `ERR_USAGE` */
export function chooseClient({
  client: file,
  noClient: isNone,
}: {
  readonly client?: string | undefined;
  readonly noClient: boolean;
}): Promise<ClientPackage | undefined> | undefined {
  if (isNone) return undefined;
  if (file !== undefined) {
    return Promise.resolve(readClientPackage(readGiven(file), file));
  }
  if (hasClient()) return clientPackage();
  console.error(
    'note: The index serves no client: this generator has none; give one with --client',
  );
  return undefined;
}

function readGiven(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw usageError('generate', `Option --client is "${file}": there is no such file`);
  }
}
