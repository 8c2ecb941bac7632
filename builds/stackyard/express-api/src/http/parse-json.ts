// Reads JSON bodies into `req.body`, which stays undefined for a request without one.

import express, { type RequestHandler } from 'express';
import { HttpError } from './http-error.js';

/** Middleware that parses JSON up to `limit` bytes and refuses what is not JSON. */
export function parseJson(limit: string): RequestHandler {
  const parse = express.json({
    limit,
    type: ['application/json', 'application/*+json'],
    // Values such as `null` are JSON: that they are not the wanted ones is for the schema to say.
    strict: false,
    verify: (_req, _res, body) => {
      if (body.length === 0) throw invalidJson();
    },
  });
  return (req, res, next) => parse(req, res, (error) => next(error && refusal(error)));
}

/** The parser's own messages quote the body and the libraries beneath, so they stay in `cause`. */
function refusal(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const { status, type } = error as { status: number; type?: string };
  return type === 'entity.parse.failed' ? invalidJson(error) : new HttpError(status, undefined, { cause: error });
}

function invalidJson(cause?: unknown): HttpError {
  return new HttpError(400, 'Invalid JSON body', { code: 'invalid_json', cause });
}
