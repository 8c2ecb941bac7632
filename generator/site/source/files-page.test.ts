import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { filesPage } from './files-page.ts';

it('filesPage() lists folder by folder, and names what is not installed', () => {
  const files = ['src/b.ts', 'README.md', 'src/a.ts', '<i>/x.ts'].map((path) => {
    return { path, bytes: Buffer.from('12345') };
  });
  const name = { id: 'alice/web', version: '1.0.0' };
  const { path, page } = filesPage(SITE, name, { files, installed: new Set(['src/a.ts']) });
  expect(path).toBe('builds/alice/web/1.0.0/files/index.html');
  expect(page).toContain('4 files, 20 B');
  expect(page).toMatch(/README\.md<[\s\S]*&lt;i&gt;\/<[\s\S]*src\/<[\s\S]*a\.ts<[\s\S]*b\.ts</);
  expect(page.match(/not installed/g)).toHaveLength(3);
});
