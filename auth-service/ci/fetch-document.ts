// Fetches small JSON documents, such as the keys of an issuer. The server may be down, slow or taken over: what it answers is
// limited in time and size, and redirects are not followed.

const MAX_BYTES = 256 * 1024;

/** The answer has another status than 200. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: number;

  constructor(status: number) {
    super(`The status is ${status}`);
    this.status = status;
  }
}

/** The text of a document. Rejects unless it is 200, complete within `timeoutMs` and at most `maxBytes`. */
export async function fetchDocument(
  url: string,
  timeoutMs: number,
  maxBytes: number = MAX_BYTES,
): Promise<string> {
  const answer = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new StatusError(answer.status);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new Error(`The document has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
