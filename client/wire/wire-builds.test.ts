import { describe, expect, it } from 'vitest';
import { Layout } from '../plan/place/layout.ts';
import { importRewriter } from './wire-builds.ts';

describe('importRewriter()', () => {
  it('follows a build to its place, and leaves a file that the same steps create', () => {
    const base = 'src/account';
    const layout = new Layout([
      { id: 'a/account', base, place: 'lib/auth', files: ['index.ts'], requires: [] },
    ]);
    const rewrite = importRewriter(
      {
        layout,
        build: layout.get('a/account')!,
        style: undefined,
        alias: undefined,
        packages: new Set(),
        aliases: () => ({ aliases: [], baseUrl: undefined }),
        pythonRoots: () => [],
        hasModule: () => false,
      },
      ['src/account.wire.ts'],
    );
    const text = "import './account/index.js';\nimport './account.wire.js';\n";
    expect(rewrite({ shipped: 'src/app.ts', placed: 'src/http/app.ts', text })).toBe(
      "import '../../lib/auth/index.js';\nimport '../account.wire.js';\n",
    );
    expect(rewrite({ shipped: 'a.txt', placed: 'a.txt', text })).toBe(text);
  });
});
