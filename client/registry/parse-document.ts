/** Parses the documents of a registry, all of them untrusted. */
import type { z } from 'zod';
import { parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { INTERFACE_VERSION, RegistryInfo } from '../../format/index/registry-info.ts';
import { ClientError } from '../errors.ts';
import { badAnswer } from './network/fetcher.ts';

/** Parses `registry.json`. @throws {ClientError} `ERR_REGISTRY_ANSWER`, also for another interface */
export function parseInfo(bytes: Uint8Array, url: string): RegistryInfo {
  checkInterface(bytes, url);
  return parse(RegistryInfo, bytes, url);
}

/** @throws {ClientError} `ERR_REGISTRY_ANSWER` */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  url: string,
): z.infer<Schema> {
  try {
    return parseDocument(schema, bytes, url);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new ClientError('ERR_REGISTRY_ANSWER', cause.message, {
      cause,
      hint: 'check that the address is that of a Stackyard index',
    });
  }
}

/** A document of the cache; one that this version cannot read counts as missing. */
export function tryParse<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
): z.infer<Schema> | undefined {
  try {
    return parseDocument(schema, bytes, '');
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/**
 * Checks the bytes of `registry.json` before the schema does: another interface may have another form.
 * @throws {ClientError} `ERR_REGISTRY_ANSWER`
 */
function checkInterface(bytes: Uint8Array, url: string): void {
  let found: unknown;
  try {
    found = (JSON.parse(Buffer.from(bytes).toString()) as { readonly interface?: unknown } | null)
      ?.interface;
  } catch {
    return;
  }
  if (typeof found !== 'number' || found === INTERFACE_VERSION) return;
  throw badAnswer(
    url,
    `it has interface ${found}, and this client reads interface ${INTERFACE_VERSION}`,
    found > INTERFACE_VERSION
      ? 'use a newer stackyard'
      : 'the registry must be generated again with a newer stackyard',
  );
}
