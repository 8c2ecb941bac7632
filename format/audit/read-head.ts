/** Reads a head with the documents of its older versions. */
import { sha256Hex } from '../archive/integrity.ts';
import { parseDocument } from '../document/document.ts';
import { FormatError } from '../errors.ts';
import { expandHead, HeadChunk, HeadDocument } from '../index/head-document.ts';
import { documentPath } from '../index/layout.ts';
import type { Head } from '../index/record.ts';
import type { ReadIndexFile } from './audit-map.ts';

/** @throws {FormatError} `ERR_DOCUMENT`, also where a file is missing or has another digest than named */
export async function readHead(read: ReadIndexFile, path: string): Promise<Head> {
  const bytes = await need(read, path);
  const head = parseDocument(HeadDocument, bytes, path);
  const older: HeadChunk[] = [];
  for (const sha256 of head.older ?? []) {
    const chunk = await need(read, documentPath(sha256));
    if (sha256Hex(chunk) !== sha256) throw refused(documentPath(sha256), 'has another digest');
    older.push(parseDocument(HeadChunk, chunk, documentPath(sha256)));
  }
  return expandHead(head, older);
}

async function need(read: ReadIndexFile, path: string): Promise<Uint8Array> {
  const bytes = await read(path);
  if (bytes === undefined) throw refused(path, 'is missing');
  return bytes;
}

function refused(path: string, problem: string): FormatError {
  return new FormatError('ERR_DOCUMENT', `${path} ${problem}`);
}
