/** A JSON document of the repository, by its object id. */
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import type { ObjectReader } from '../git/object-reader.ts';

/**
 * Returns what is wrong with the document as an error, so that the caller reports or ignores it.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readDocument<Schema extends Parameters<typeof parseDocument>[0]>(
  reader: ObjectReader,
  schema: Schema,
  oid: string,
  maxBytes = MAX_MANIFEST_BYTES,
): Promise<ReturnType<typeof parseDocument<Schema>> | Error> {
  const object = await reader.read(oid, { left: maxBytes });
  try {
    if (object?.bytes === undefined) return new Error(`it has over ${maxBytes} bytes`);
    return parseDocument(schema, object.bytes, 'the file');
  } catch (error) {
    if (error instanceof StackyardError) return error;
    throw error;
  }
}
