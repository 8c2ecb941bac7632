import { cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { appRoutes } from './app.js';

// The browser of the tests has no scrolling.
beforeEach(() => void vi.stubGlobal('scrollTo', () => {}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(path: string) {
  render(<RouterProvider router={createMemoryRouter(appRoutes, { initialEntries: [path] })} />);
}

test.each([
  [200, 'The API answers.'],
  [503, 'The API does not answer.'],
])('the start page says whether the API answers: %i', async (status, text) => {
  // Installed modules ask for other paths.
  vi.stubGlobal('fetch', async (url: string) => new Response('{}', { status: url === '/health' ? status : 404 }));
  open('/');
  expect(await screen.findByText(text)).toBeDefined();
});

test('unknown paths have a page', async () => {
  open('/nowhere');
  expect((await screen.findByRole('heading')).textContent).toBe('Page not found');
  expect(screen.getByRole('link', { name: 'Go to the start page' }).getAttribute('href')).toBe('/');
});
