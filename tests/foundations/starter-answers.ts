/** Responses and logs that have the same form in both starters. */
import { expect } from 'vitest';
import type { ServerProcess } from './server-process.ts';

/** Text of a failure that no client may ever see. */
export const SECRET = 'probe-secret';

export interface ErrorBody {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly issues?: readonly { path: string; message: string }[];
}

/** Returns the error in `response`; checks that its body has the form of all errors. */
export async function readErrorOf(
  contentType: string,
  response: Response,
  status = response.status,
  code?: string,
): Promise<ErrorBody> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe(contentType);
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  const { error, ...rest } = JSON.parse(text) as { error: ErrorBody };
  expect(rest).toEqual({});
  expect(error).toMatchObject({
    status,
    requestId: response.headers.get('x-request-id'),
  });
  expect(error.code).toEqual(code ?? expect.any(String));
  return error;
}

/** The lines of a server's log: one JSON object each. */
export function parseLines<Entry>(server: ServerProcess): Entry[] {
  const lines = server.stdout().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry);
}
