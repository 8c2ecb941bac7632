import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { notFoundPage } from './not-found-page.ts';

it.each([
  ['https://registry.example/base', '/base/'],
  ['https://registry.example', '/'],
  ['', '/'],
])('notFoundPage() of a registry at "%s" has links from %s', (address, root) => {
  const page = notFoundPage({ ...SITE, address });
  expect(page).toContain(`href="${root}search/"`);
  expect(page).toContain('noindex');
  expect(page).not.toMatch(/(?:href|src|action)="\.\.?\//);
});
