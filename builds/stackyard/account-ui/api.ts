// Calls the routes of accounts below /auth, which have the origin of the page. The session is a cookie that no script can read.

/** Where the API has the routes. */
const AUTH = '/auth';

export interface User {
  readonly id: number;
  readonly email: string;
  readonly created_at: string;
}

export interface AuthSession {
  readonly id: string;
  readonly device: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly current: boolean;
}

/** What a login answers: the account, or what else it needs. */
export type LoginAnswer = { readonly user: User } | { readonly secondFactor: readonly string[]; readonly challenge: string };

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What the API answers in place of a result. `code` is a stable word, `offline` where there was no answer. */
export class AccountApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(status: number, code: string, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.issues = issues;
  }
}

type Method = 'GET' | 'POST' | 'DELETE';

/** Sends a request. Rejects with `AccountApiError`. */
export async function send<T = void>(method: Method, path: string, body?: object): Promise<T> {
  // A page of another site cannot send this header, and gets no cookie.
  const headers: Record<string, string> = { Accept: 'application/json', 'X-Session': 'cookie' };
  if (body) headers['Content-Type'] = 'application/json';
  let response: Response;
  let text: string;
  try {
    response = await fetch(AUTH + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    text = await response.text();
  } catch {
    throw new AccountApiError(0, 'offline', 'The server cannot be reached. Check your connection and try again.');
  }
  const data = tryParse(text);
  if (response.ok) return data as T;
  const { error = {} } = (data ?? {}) as { error?: { code?: string; message?: string; issues?: readonly Issue[] } };
  const wait = Number(response.headers.get('Retry-After'));
  const later = response.status === 429 && wait > 0 ? ` Try again in ${wait < 90 ? `${wait} seconds` : `${Math.ceil(wait / 60)} minutes`}.` : undefined;
  const message = later ? `Too many attempts.${later}` : (error.message ?? `The server answered ${response.status}.`);
  throw new AccountApiError(response.status, error.code ?? 'unknown', message, error.issues);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

let features: Promise<ReadonlySet<string>> | undefined;

/** The paths that the API has, which tell what is installed. Asked once; a failure is asked again. */
export function readFeatures(): Promise<ReadonlySet<string>> {
  features ??= send<{ readonly paths: readonly string[] }>('GET', '/features').then(
    ({ paths }) => new Set(paths),
    () => {
      features = undefined;
      return new Set<string>();
    },
  );
  return features;
}
