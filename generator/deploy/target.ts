/** Where an index is deployed to: `s3://bucket/prefix` or `file:/folder`. */
import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { GeneratorError } from '../errors.ts';

export type Target =
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      readonly place: string;
    }
  | { readonly kind: 'folder'; readonly folder: string; readonly place: string };

const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;
const SEGMENT = /^(?!\.{1,2}$)[\w.~!*'()@+=-]{1,200}$/;
const MAX_PREFIX_LENGTH = 200;

/** @throws {GeneratorError} `ERR_USAGE` */
export function parseTarget(text: string): Target {
  if (text.startsWith('file:')) return { kind: 'folder', folder: folderOf(text), place: text };
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  const prefix = path.replace(/\/+$/, '');
  const isPrefix =
    prefix.length <= MAX_PREFIX_LENGTH &&
    (prefix === '' || prefix.split('/').every((part) => SEGMENT.test(part)));
  if (!BUCKET.test(bucket) || !isPrefix) throw refused();
  const place = prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  return { kind: 's3', bucket, prefix, place };
}

/** The address of a store. @throws {GeneratorError} `ERR_USAGE` */
export function parseEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || `${url.username}${url.password}` !== '') {
    // What it holds is not printed: it may be a password.
    throw new GeneratorError(
      'ERR_USAGE',
      'Option --endpoint is no http or https address of a store',
      {
        hint: 'give scheme, host and port only, such as https://s3.example.org',
      },
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** `file:///a/b`, `file:/a/b` and `file:a/b`. */
function folderOf(text: string): string {
  const rest = text.slice('file:'.length);
  if (rest === '' || /^\/\/[^/]/.test(rest) || /[?#\0]/.test(rest)) throw refused();
  return rest.startsWith('/') ? fileURLToPath(new URL(text)) : resolve(rest);
}

function refused(): GeneratorError {
  return new GeneratorError('ERR_USAGE', 'The target is no place to deploy to', {
    hint: 'give s3://bucket, s3://bucket/prefix or file:/folder',
  });
}
