// Who is logged in, for all components: one store outside of React, so that no provider is needed.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { AccountApiError, readFeatures, send, type User } from './api.js';

export type Session =
  | { readonly status: 'loading' | 'anonymous' | 'unreachable' }
  | { readonly status: 'user'; readonly user: User };

let session: Session = { status: 'loading' };
let asked: Promise<void> | undefined;
const listeners = new Set<() => void>();
// Tells the other tabs of this browser, which have the same cookie.
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('account');
if (channel) channel.onmessage = () => void refreshSession();

function set(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** Sets who is logged in, after an answer that says so. */
export function setUser(user: User | undefined): void {
  asked = Promise.resolve();
  set(user ? { status: 'user', user } : { status: 'anonymous' });
  channel?.postMessage('changed');
}

/** Asks the API who is logged in. */
export async function refreshSession(): Promise<void> {
  try {
    const { user } = await send<{ readonly user?: User }>('GET', '/me');
    set(user ? { status: 'user', user } : { status: 'unreachable' });
  } catch (error) {
    const isKnown = error instanceof AccountApiError && error.status === 401;
    set({ status: isKnown ? 'anonymous' : 'unreachable' });
  }
}

/** Ends the session of this browser. */
export async function logOut(): Promise<void> {
  try {
    await send('POST', '/logout');
  } catch (error) {
    // Without a session there is nothing to end.
    if (!(error instanceof AccountApiError && error.status === 401)) throw error;
  }
  setUser(undefined);
}

/** The session; asks the API at the first use. */
export function useSession(): Session {
  useEffect(() => {
    asked ??= refreshSession();
  }, []);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}

/** Whether the API has a path below /auth, such as `/totp`; `undefined` until that is known. */
export function useFeature(path: string): boolean | undefined {
  const [features, setFeatures] = useState<ReadonlySet<string>>();
  useEffect(() => {
    let isOver = false;
    void readFeatures().then((found) => isOver || setFeatures(found));
    return () => {
      isOver = true;
    };
  }, []);
  return features?.has(path);
}
