// Parts of a content: those that a request asks for (RFC 9110), and the first bytes of a stream.

/** First and last byte, from 0; `unsatisfiable` for a range behind the end; `undefined` for the whole file. */
export type ByteRange = { readonly first: number; readonly last: number } | 'unsatisfiable' | undefined;

/** What `Range` asks for (RFC 9110 section 14). Several ranges, other units and faults mean the whole file. */
export function readRange(header: string | null, size: number): ByteRange {
  const parts = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '');
  const [, from = '', to = ''] = parts ?? [];
  if (from === '' && to === '') return undefined;
  const last = Number(to);
  if (from === '') return last > 0 && size > 0 ? { first: Math.max(0, size - last), last: size - 1 } : 'unsatisfiable';
  if (to !== '' && last < Number(from)) return undefined;
  if (Number(from) >= size) return 'unsatisfiable';
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(last, size - 1) };
}

/** What the conditions of a request say of the file with this strong ETag (RFC 9110 section 13.2.2). */
export function checkConditions(headers: Headers, etag: string): 'failed' | 'unchanged' | undefined {
  const ifMatch = headers.get('If-Match');
  if (ifMatch !== null && !hasTag(ifMatch, etag)) return 'failed';
  const ifNoneMatch = headers.get('If-None-Match');
  return ifNoneMatch !== null && hasTag(ifNoneMatch.replace(/\bW\//g, ''), etag) ? 'unchanged' : undefined;
}

function hasTag(list: string, etag: string): boolean {
  return list.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
}

/** A stream of bytes, which the caller ends with `return()`. */
export type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

/** The first bytes as one piece, at least `wanted` where there are as many, and all pieces with it. */
export async function takeHead(
  chunks: Chunks,
  wanted: number,
): Promise<{ readonly head: Uint8Array; readonly all: () => Chunks }> {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < wanted; length += parts[parts.length - 1]?.length ?? 0) {
    const { done, value } = await chunks.next();
    if (done) break;
    parts.push(value);
  }
  const head = Buffer.concat(parts);
  const all = async function* (): Chunks {
    yield head;
    yield* chunks;
  };
  return { head, all };
}
