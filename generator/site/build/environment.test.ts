import { expect, it } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { environmentSection } from './environment.ts';

it('environmentSection() shows what each variable is, escaped', () => {
  const { latest } = buildView();
  expect(environmentSection(latest)).toBeUndefined();
  const env = { TOKEN: { description: '<b>', example: '<i>', required: true }, PORT: {} };
  const text = String(environmentSection({ ...latest, manifest: { ...latest.manifest, env } }));
  expect(text).toMatch(/TOKEN<\/code>[\s\S]*required[\s\S]*&lt;b&gt;[\s\S]*&lt;i&gt;/);
  expect(text).toMatch(/PORT<\/code>[\s\S]*optional/);
});
