import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { browserModule } from './browser-module.ts';

it('browserModule() is one entry of less than 10 kB, which loads the search later', async () => {
  const [entry, ...others] = await browserModule();
  expect(entry!.name).toMatch(/^site-[0-9a-f]{16}\.js$/);
  expect(gzipSync(entry!.text).length).toBeLessThan(10_000);
  const search = others.find(({ name }) => name.startsWith('search-'));
  expect(entry!.text).toContain(`import(\`./${search!.name}\`)`);
  expect(entry!.text).not.toMatch(/^import/);
});
