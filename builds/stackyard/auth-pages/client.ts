// The client of better-auth. Its routes have the origin of the page: the session is a cookie that no script can read.

import { organizationClient, twoFactorClient } from 'better-auth/client/plugins';
import { createAuthClient } from 'better-auth/react';
import { createContext, useEffect, useState } from 'react';
import { ApiError } from '../api/client.js';

// A server of pages answers other requests with index.html.
const fetchOptions = { headers: { Accept: 'application/json' } };
/** `signIn`, `signOut`, `organization` and so on, as the library documents them. */
export const authClient = createAuthClient({ fetchOptions, plugins: [twoFactorClient(), organizationClient()] });
export const { useSession } = authClient;

/** What src/auth.ts of the API has switched on: the pages show nothing else. `providers` such as `google`. */
type Feature = 'mail' | 'twoFactor' | 'passkey' | 'organization' | 'deleteUser';
type Features = { readonly [name in Feature]?: boolean } & { readonly providers?: readonly string[] };

export const FeaturesContext = createContext<Features>({});
export const readFeatures = () => authClient.$fetch<Features>('/features');

/** The values of a form. */
export type Values = Readonly<Record<string, string>>;

interface Answer<T> {
  readonly data: T | null;
  readonly error: { readonly status: number; readonly code?: string; readonly message?: string } | null;
}

const OLD_SESSION = 'Your login was too long ago for this: log out, log in, and try again.';

/** The data of an answer. Rejects with `ApiError`, or `TypeError` where the API cannot be reached. */
export async function result<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error } = await call;
  if (!error) return data as T;
  throw new ApiError(error.status, { error: error.code === 'SESSION_NOT_FRESH' ? { message: OLD_SESSION } : error });
}

/** What the API answers, `undefined` before and where it fails. `reload` asks again. */
export function useData<T>(ask: () => Promise<Answer<T>>): { data: T | undefined; reload: () => void } {
  const [data, setData] = useState<T>();
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isOver = false;
    const show = (answer?: T) => isOver || setData(answer);
    result(ask()).then(show, () => show());
    return () => void (isOver = true);
  }, [ask, count]);
  return { data, reload: () => setCount(count + 1) };
}
