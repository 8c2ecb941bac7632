// The error that a handler throws to choose the answer.

import { STATUS_CODES } from 'node:http';

/** One reason why a request was refused. `path` is dotted, and empty for the body as a whole. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface HttpErrorOptions extends ErrorOptions {
  /** Stable word for programs, such as `email_taken`. Default: from the status, such as `not_found`. */
  readonly code?: string | undefined;
  /** Whether clients see the message. Default: below 500. */
  readonly expose?: boolean | undefined;
  /** Headers of the answer, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly issues?: readonly Issue[] | undefined;
}

/** An answer with a status from 400 to 599. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;
  readonly expose: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly issues: readonly Issue[] | undefined;

  constructor(status: number, message = statusText(status), options: HttpErrorOptions = {}) {
    super(message, options);
    this.status = status;
    this.code = options.code ?? statusCode(status);
    this.expose = options.expose ?? status < 500;
    this.headers = options.headers ?? {};
    this.issues = options.issues;
  }
}

/** The standard text of a status, such as `Not Found`. */
export function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

function statusCode(status: number): string {
  if (status === 500) return 'internal';
  return statusText(status)
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z]+/g, '_');
}
