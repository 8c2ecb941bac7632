import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { browserModule } from './browser-module.ts';

it('browserModule() is one entry, which loads the search later, and both are less than 13 kB', async () => {
  const [entry, ...others] = await browserModule();
  expect(entry!.name).toMatch(/^site-[0-9a-f]{16}\.js$/);
  const search = others.find(({ name }) => name.startsWith('search-'));
  expect(entry!.text).toContain(`import(\`./${search!.name}\`)`);
  expect(entry!.text).not.toMatch(/^import/);
  const shared = others.filter(({ name }) => search!.text.includes(name));
  const own = [entry!, search!, ...shared];
  const bytes = own.reduce((sum, { text }) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeLessThan(13_000);
});

it('browserModule() loads less than 20 kB more for the source page, and the rest when it is needed', async () => {
  const files = await browserModule();
  const named = (name: string) => files.find((file) => file.name.startsWith(`${name}-`))!;
  const [entry] = files;
  expect(entry!.text).toContain(`import(\`./${named('show-source').name}\`)`);
  const first = new Set([named('show-source')]);
  for (const { text } of first) {
    for (const [, name] of text.matchAll(/from\s*"\.\/([^"]+)"|import\s*`\.\/([^`]+)`/g)) {
      const file = files.find((one) => one.name === name);
      if (file !== undefined && file !== entry) first.add(file);
    }
  }
  const bytes = [...first].reduce((sum, { text }) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeLessThan(20_000);
  for (const later of ['changes-view', 'sha2']) {
    expect([...first]).not.toContain(named(later));
  }
});
