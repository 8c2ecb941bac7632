/** Passes the body of an answer through a stream on its way, as for compression. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';

/** Chooses what a body passes through, and may change the headers; nothing for a body that stays as it is. */
export type ChooseTransform = (headers: OutgoingHttpHeaders) => Transform | undefined;

/** Of whole answers only: parts of a file and answers without a body stay as they are. */
export function transformBody(response: ServerResponse, choose: ChooseTransform): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
    response.writeHead = writeHead;
    const changed = { ...headers };
    const transform = status === 200 && response.req.method === 'GET' ? choose(changed) : undefined;
    if (transform === undefined) return writeHead(status, headers);
    // Set as a header of the answer, it would be sent as well.
    delete changed['Content-Length'];
    response.removeHeader('Content-Length');
    pass(response, transform);
    return writeHead(status, changed);
  }) as typeof response.writeHead;
}

function pass(response: ServerResponse, transform: Transform): void {
  const [write, end] = [response.write.bind(response), response.end.bind(response)];
  transform.on('data', (chunk: Buffer) => write(chunk));
  transform.on('end', () => end());
  // Who writes waits for it when the stream is full.
  transform.on('drain', () => response.emit('drain'));
  response.write = ((chunk: Buffer) => transform.write(chunk)) as typeof response.write;
  response.end = ((chunk?: Buffer) => {
    if (chunk === undefined) transform.end();
    else transform.end(chunk);
    return response;
  }) as typeof response.end;
}
