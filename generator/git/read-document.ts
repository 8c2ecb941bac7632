/** Reads documents of the repository, which publishers and admins write. */
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { documentOrError } from '../../format/document/document.ts';
import type { ObjectReader } from './object-reader.ts';

/**
 * Returns what is wrong with the document as an error, so that the caller reports or ignores it.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readDocument<Schema extends Parameters<typeof documentOrError>[0]>(
  reader: ObjectReader,
  schema: Schema,
  oid: string,
  maxBytes = MAX_MANIFEST_BYTES,
): Promise<ReturnType<typeof documentOrError<Schema>> | Error> {
  const object = await reader.read(oid, { left: maxBytes });
  if (object?.bytes === undefined) return new Error(`it has over ${maxBytes} bytes`);
  return documentOrError(schema, object.bytes, 'the file');
}
