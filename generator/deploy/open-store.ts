/** The store of a target: `s3://bucket/prefix` or `file:/folder`. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GeneratorError } from '../errors.ts';
import { openFolderStore } from './folder-store.ts';
import { openS3Store } from './s3-store.ts';
import type { Store } from './store.ts';

const BUCKET =
  /^s3:\/\/([A-Za-z0-9][\w.-]{1,254})((?:\/(?!\.{1,2}(?:\/|$))[\w.~!*'()@+=-]{1,200}){0,9})\/*$/;
/** `file:///a/b`, `file:/a/b` and `file:a/b`. */
const FOLDER = /^file:((?!\/\/[^/])[^?#\0]+)$/;

/**
 * @param endpoint address of an S3-compatible store; by default `AWS_ENDPOINT_URL`, or that of AWS
 * @throws {GeneratorError} `ERR_USAGE`
 */
export function openStore(target: string, endpoint?: string): Store {
  const [, folder] = FOLDER.exec(target) ?? [];
  if (folder !== undefined) {
    const isUrl = folder.startsWith('/');
    return openFolderStore(isUrl ? fileURLToPath(new URL(target)) : resolve(folder), target);
  }
  const [, bucket, path = ''] = BUCKET.exec(target) ?? [];
  if (bucket === undefined) {
    throw new GeneratorError('ERR_USAGE', 'The target is no place to deploy to', {
      hint: 'give s3://bucket, s3://bucket/prefix or file:/folder',
    });
  }
  return openS3Store({ bucket, prefix: path.slice(1), place: `s3://${bucket}${path}` }, endpoint);
}
