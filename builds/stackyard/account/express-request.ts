// What the routes read of a request of Express. Everything is read when it is asked for: most routes need little of it.

import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { toNetwork } from './client-address.js';
import { readRequestId } from './express-answer.js';
import { readJsonBody } from './json-body.js';
import type { AccountRequest } from './request.js';

const AUTHORIZATION = 'authorization';

/** The request; `pathId` is what stands in place of `:id` in its path. */
export function readExpressRequest(req: Request, res: Response, pathId: string): AccountRequest {
  return new ExpressRequest(req, res, pathId);
}

class ExpressRequest implements AccountRequest {
  readonly pathId: string;
  private readonly req: Request;
  private readonly res: Response;

  constructor(req: Request, res: Response, pathId: string) {
    this.req = req;
    this.res = res;
    this.pathId = pathId;
  }

  get method(): string {
    return this.req.method;
  }

  // That of the socket, unless the setting "trust proxy" of Express names another.
  get address(): string {
    return toNetwork(this.req.ip ?? '');
  }

  get authorization(): readonly string[] {
    return readAuthorization(this.req);
  }

  get userAgent(): string | undefined {
    return this.req.headers['user-agent'];
  }

  get requestId(): string | undefined {
    return readRequestId(this.res);
  }

  readJson(maxBytes: number): Promise<unknown> {
    return readJsonBody(this.req, maxBytes);
  }
}

/** The values of all `Authorization` headers. Node keeps only the first one; the raw list has them all. */
export function readAuthorization({ headers, rawHeaders }: IncomingMessage): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The length first: it excludes most names without a new text for each.
    if (name.length !== AUTHORIZATION.length || name.toLowerCase() !== AUTHORIZATION) continue;
    values.push(rawHeaders[index + 1] ?? '');
  }
  if (values.length > 1) return values;
  // Of a single header what the host sees, which adapters and middleware may have set.
  return headers.authorization === undefined ? [] : [headers.authorization];
}
