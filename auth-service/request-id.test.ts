// The ids of requests.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { assignRequestId } from './request-id.ts';

function assign(given: string | undefined): [id: string, header: unknown] {
  const req = new IncomingMessage(new Socket());
  if (given !== undefined) req.headers['x-request-id'] = given;
  const res = new ServerResponse(req);
  return [assignRequestId(req, res), res.getHeader('X-Request-Id')];
}

test.each(['abc', '01H-x_y.z:1', 'x'.repeat(64)])('assignRequestId() takes %j', (given) => {
  expect(assign(given)).toEqual([given, given]);
});

test.each([undefined, '', 'a b', 'a\r\nb', 'a"b', '<b>', 'x'.repeat(65), 'ä'])(
  'assignRequestId() makes one instead of %j',
  (given) => {
    const [id, header] = assign(given);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(header).toBe(id);
  },
);
