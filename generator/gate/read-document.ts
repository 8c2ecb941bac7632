/** A JSON document of the repository, by its object id. */
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import type { ObjectReader } from '../git/object-reader.ts';

/**
 * What is wrong with the document is given, not thrown: it is a reason, or nobody's business.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readDocument<Schema extends Parameters<typeof parseDocument>[0]>(
  reader: ObjectReader,
  schema: Schema,
  oid: string,
): Promise<ReturnType<typeof parseDocument<Schema>> | Error> {
  const object = await reader.read(oid, { left: MAX_MANIFEST_BYTES });
  try {
    if (object?.bytes === undefined) return new Error(`it has over ${MAX_MANIFEST_BYTES} bytes`);
    return parseDocument(schema, object.bytes, 'the file');
  } catch (error) {
    if (error instanceof StackyardError) return error;
    throw error;
  }
}
