import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StackyardError } from '../../format/errors.ts';
import { parseRepositoryAddress } from './repository-address.ts';

describe('parseRepositoryAddress()', () => {
  it.each([
    ['https://host.example/a/b.git', 'https://host.example', true],
    ['https://host.example:8443/a/b', 'https://host.example:8443', true],
    ['http://127.0.0.1:3000/a/b.git', 'http://127.0.0.1:3000', true],
    ['ssh://git@host.example:22/a/b.git', 'https://host.example', false],
    ['git@host.example:a/b.git', 'https://host.example', false],
  ])('reads %s', (text, origin, isHttp) => {
    const { url, ...rest } = parseRepositoryAddress(text, '/');
    expect([url, rest]).toEqual([text, { origin, isHttp, owner: 'a', name: 'b' }]);
  });

  it('reads a folder', () => {
    const { url, origin } = parseRepositoryAddress('.', import.meta.dirname);
    expect([url, origin]).toEqual([import.meta.dirname, undefined]);
  });

  it.each([
    'http://host.example/a/b',
    'https://token@host.example/a/b',
    'https://u:p@host.example/a/b',
    'ssh://u:p@host.example/a/b',
    'https://host.example/a',
    'https://host.example/a/b?x=1',
    'ftp://host.example/a/b',
    'file:///tmp/a/b',
    'ext::sh -c id',
    'ext::https://host.example/a/b',
    '-oProxyCommand=id',
    '--upload-pack=id',
    '-git@host:a/b',
    'git@-oProxyCommand=id:a/b',
    'ssh://host/::/a/b',
    'https://host/ext::sh/a/b',
    '/no/such/folder',
    '',
  ])('refuses %j', (text) => {
    expect(() => parseRepositoryAddress(text, '/')).toThrow(StackyardError);
  });

  it('never returns an option or a remote helper of git, for any text', () => {
    const words = 'https:// ssh:// git@ ext:: - : / a .git @'.split(' ');
    const parts = fc.array(fc.constantFrom('\n', ...words), { maxLength: 12 });
    const texts = fc.oneof(
      fc.string(),
      parts.map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const { url } = parseRepositoryAddress(text, '/');
          expect(url).not.toMatch(/^-|::|[\r\n\0]/);
        } catch (error) {
          if (!(error instanceof StackyardError)) throw error;
        }
      }),
      { numRuns: 5000 },
    );
  });
});
