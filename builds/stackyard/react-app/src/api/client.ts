// Calls the API, which has the origin of the page: the session is a cookie, so there is no token to keep here.

import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

/**
 * Typed by the description of the API: `npm run api` writes schema.d.ts from /openapi.json of the running API.
 * `const { data, error } = await api.GET('/items')`; `throwing` turns an error into an `ApiError`.
 */
export const api = createClient<paths>({ baseUrl: location.origin });

export interface Issue {
  /** The field, such as `email`. */
  readonly path: string;
  readonly message: string;
}

/** What the API answers in place of a result. `code` is a stable word. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(status: number, body: unknown) {
    const { error } = (body ?? {}) as { error?: { code?: string; message?: string; issues?: readonly Issue[] } };
    super(error?.message ?? `The server answered ${status}`);
    this.status = status;
    this.code = error?.code ?? 'unknown';
    this.issues = error?.issues ?? [];
  }
}

/** The data of an answer of `api`. Rejects with `ApiError`. */
export async function throwing<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response.status, error);
  return data as T;
}

/** A call without a description. Rejects with `ApiError`, or `TypeError` where the API cannot be reached. */
export async function callApi<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('json');
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  if (!response.ok) throw new ApiError(response.status, body);
  return body as T;
}
