/** Reloads the pages that a browser shows when there are new ones. It is in answers of this server alone, never in an index. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { transformBody } from './answer-body.ts';

const EVENTS = '/@dev/events';
const MODULE = '/@dev/reload.js';
/** The server that a page came from may have ended: another one has another start. */
const SCRIPT = `let start;
const events = new EventSource('${EVENTS}');
events.addEventListener('start', ({ data }) => {
  if (start !== undefined && start !== data) location.reload();
  start = data;
});
events.addEventListener('reload', () => location.reload());
`;

export class LiveReload {
  readonly #start = String(Date.now());
  readonly #open = new Set<ServerResponse>();

  /** Whether it has answered. */
  answer({ url }: IncomingMessage, response: ServerResponse): boolean {
    if (url === MODULE) {
      response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
      response.end(SCRIPT);
      return true;
    }
    if (url === EVENTS) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(`event: start\ndata: ${this.#start}\n\n`);
      this.#open.add(response);
      response.on('close', () => this.#open.delete(response));
      return true;
    }
    // Nothing stays in a browser: the next build of the same page may differ.
    transformBody(response, (headers) => {
      headers['Cache-Control'] = 'no-store';
      const isPage = String(headers['Content-Type'] ?? '').startsWith('text/html');
      return isPage ? withModule() : undefined;
    });
    return false;
  }

  reload(): void {
    for (const response of this.#open) response.write('event: reload\ndata:\n\n');
  }
}

/** A parser puts a script after the end of the document into it. */
function withModule(): Transform {
  return new Transform({
    transform: (chunk, _, done) => done(null, chunk),
    flush: (done) => done(null, `<script type="module" src="${MODULE}"></script>\n`),
  });
}
