import { useEffect, useState } from 'react';
import { callApi } from '../api/client.js';

type State = 'asking' | 'up' | 'down';
const TEXTS: Readonly<Record<State, string>> = {
  asking: 'Asking the API …',
  up: 'The API answers.',
  down: 'The API does not answer.',
};

export function HomePage() {
  const [state, setState] = useState<State>('asking');
  useEffect(() => {
    const controller = new AbortController();
    callApi('/health', { signal: controller.signal }).then(
      () => setState('up'),
      () => controller.signal.aborted || setState('down'),
    );
    return () => controller.abort();
  }, []);
  return (
    <>
      <title>App</title>
      <h1>Welcome</h1>
      <p>
        This page is <code>src/pages/home.tsx</code>. Pages are listed in <code>src/routes.tsx</code>.
      </p>
      <output className={`status status-${state}`}>{TEXTS[state]}</output>
    </>
  );
}
