import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Manifest } from '../../format/build/manifest.ts';
import { webAddress } from './project-facts.ts';

describe('webAddress()', () => {
  it.each([
    ['git+https://host.example/a/b.git', 'https://host.example/a/b'],
    ['https://user:secret@host.example/a/b.git', 'https://host.example/a/b'],
    ['git@host.example:a/b.git', 'https://host.example/a/b'],
    ['ssh://git@host.example:22/a/b.git', 'https://host.example/a/b'],
    ['git://host.example/a/b', 'https://host.example/a/b'],
    ['http://127.0.0.1:3000/a/b.git', 'http://127.0.0.1:3000/a/b'],
    ['/srv/git/b.git', undefined],
    ['file:///srv/git/b.git', undefined],
    ['', undefined],
  ])('of %j is %j', (written, expected) => {
    expect(webAddress(written)).toBe(expected);
  });

  it('is an address that a manifest may have, without user name and password, or nothing', () => {
    const parts = fc.constantFrom(
      'https://',
      'git+',
      'ssh://',
      'u:p@',
      'git@',
      'host.example',
      ':',
      '/a',
      '/b',
      '.git',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(parts, { maxLength: 10 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const address = webAddress(text);
        if (address === undefined) return;
        expect(Manifest.shape.repository.safeParse(address).success).toBe(true);
        expect(new URL(address).username + new URL(address).password).toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});
