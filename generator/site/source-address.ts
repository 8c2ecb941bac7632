/**
 * The address of the source page, which shows every version of every build:
 *
 *     source/?id=alice/web&version=1.1.0#src/page.ts:L3-L7
 *     source/?id=alice/web&version=1.1.0&against=1.0.0
 */

/** What the source page shows. */
export interface SourceView {
  readonly id: string;
  readonly version: string;
  /** The version whose differences to `version` are shown. */
  readonly against?: string | undefined;
  /** Path of a file within the build; without one, the list of files is shown. */
  readonly file?: string | undefined;
  /** First and last line, from 1. */
  readonly lines?: readonly [number, number] | undefined;
}

/** The address, relative to the root of the site. */
export function sourceAddress({ id, version, against, file, lines }: SourceView): string {
  const other = against === undefined ? '' : `&against=${encodeURIComponent(against)}`;
  const name = id.split('/').map(encodeURIComponent).join('/');
  const query = `?id=${name}&version=${encodeURIComponent(version)}${other}`;
  if (file === undefined) return `source/${query}`;
  const path = file.split('/').map(encodeURIComponent).join('/');
  const [first, last] = lines ?? [];
  const range = first === undefined ? '' : first === last ? `:L${first}` : `:L${first}-L${last}`;
  return `source/${query}#${path}${range}`;
}

/**
 * The inverse of `sourceAddress`. Visitors and other sites write addresses: ids, versions and paths are not checked here.
 * @param search of the page's address, with `?`
 * @param hash of the page's address, with `#`, or `""`
 * @returns `undefined` without an id and a version, or when the fragment is not valid percent-encoding
 */
export function parseSourceAddress(search: string, hash: string): SourceView | undefined {
  const query = new URLSearchParams(search);
  const id = query.get('id');
  const version = query.get('version');
  if (id === null || version === null) return undefined;
  const against = query.get('against') ?? undefined;
  const [, path = '', first, last] = /^#?(.*?)(?::L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?)?$/.exec(
    hash,
  )!;
  const file = decoded(path);
  if (file === undefined) return undefined;
  const lines = first === undefined ? undefined : linesOf(Number(first), Number(last ?? first));
  return { id, version, against, file: file === '' ? undefined : file, lines };
}

function linesOf(first: number, last: number): readonly [number, number] {
  return first <= last ? [first, last] : [last, first];
}

/** A text without its percent-encoding; `undefined` where that is broken. */
export function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
