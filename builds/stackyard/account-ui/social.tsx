// Buttons of the providers by which people log in, such as Google: links, since the browser leaves the page.

import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { send } from './api.js';
import { ButtonLink } from './components.js';
import { useFeature } from './session.js';

interface Provider {
  readonly name: string;
  readonly label: string;
  readonly start: string;
}

const FAULTS: Readonly<Record<string, string>> = {
  denied: 'You have not agreed at the provider.',
  provider_unavailable: 'The provider does not answer. Try again later.',
  attempt_unknown: 'That took too long, or began in another browser. Try again.',
  email_not_verified: 'The provider has not verified your e-mail address.',
  account_exists: 'There is an account with this address. Log in with your password, and link the provider on your account page.',
  linked_elsewhere: 'This login belongs to another account.',
  rate_limited: 'Too many attempts. Try again later.',
};

/** What to say about the word that the API puts into the address. */
export function socialFault(code: string | null): string | undefined {
  if (code === null) return undefined;
  return Object.hasOwn(FAULTS, code) ? FAULTS[code] : 'The login at the provider failed. Try again.';
}

export function ProviderButtons({ divider }: { readonly divider?: ReactNode }) {
  const [query] = useSearchParams();
  const isInstalled = useFeature('/social') === true;
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  useEffect(() => {
    if (!isInstalled) return;
    // Without the list there are no buttons; the password works.
    send<{ readonly providers: readonly Provider[] }>('GET', '/social').then(({ providers: found }) => setProviders(found), () => {});
  }, [isInstalled]);
  if (providers.length === 0) return null;
  const next = query.get('next');
  const back = next === null ? '/login' : `/login?${new URLSearchParams({ next }).toString()}`;
  return (
    <>
      {divider}
      {providers.map(({ name, label, start }) => (
        <ButtonLink key={name} href={`${start}?${new URLSearchParams({ session: 'cookie', return_to: back }).toString()}`}>
          Continue with {label}
        </ButtonLink>
      ))}
    </>
  );
}
