// Refuses requests with several Host headers. Proxies and servers differ in which one they take, so such a request can
// reach another site than the one that was checked (RFC 9112 section 3.2: a server must respond with 400).

import type { IncomingMessage } from 'node:http';

/** Whether the request names its host more than once. Node.js itself refuses a request of HTTP/1.1 that names none. */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  // Names and values in turn, as they arrived.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
