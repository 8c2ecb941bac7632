import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { UNKNOWN } from '../taint/value.ts';
import { isOwnPlace, isTrustedPlace } from './trusted-place.ts';

const PLAIN = testBuild({ 'a.js': '' });

describe('isTrustedPlace()', () => {
  it.each([
    'https://registry.npmjs.org/a/-/a-1.0.0.tgz',
    'https://files.pythonhosted.org/a.whl',
    'https://nodejs.org/dist/x',
    'https://github.com/electron/electron/releases/download/v1/x.zip',
    'https://storage.googleapis.com/chrome-for-testing-public/1/x.zip',
  ])('%s is one', (address) => {
    expect(isTrustedPlace(PLAIN, address)).toBe(true);
  });

  it.each([
    'https://github.com/nobody/x/releases/download/v1/x',
    'https://raw.githubusercontent.com/nobody/x/main/x',
    'https://gist.githubusercontent.com/nobody/1/raw/x',
    'https://storage.googleapis.com/bucket-of-nobody/x',
    'https://unpkg.com/package-of-nobody/x',
    'https://cdn.jsdelivr.net/npm/package-of-nobody/x',
    'https://huggingface.co/nobody/model/resolve/main/x',
    `https://github.com/${UNKNOWN}/x`,
    'https://github.com/electronic/x/y',
    'https://github.com/electron/../nobody/x',
    'https://github.com\\@nobody.io/electron/x',
    'https://files.host-of-nobody.io/x',
    'no address',
  ])('%s is none', (address) => {
    expect(isTrustedPlace(PLAIN, address)).toBe(false);
  });
});

describe('isOwnPlace()', () => {
  it.each([
    ['https://github.com/me/web', 'https://github.com/Me/tool/releases/download/v1/x'],
    ['https://github.com/me/web.git', 'https://raw.githubusercontent.com/me/web/main/i.sh'],
    ['https://github.com/me/web', 'https://cdn.jsdelivr.net/gh/me/web/x.js'],
    ['https://github.com/me/web', 'https://api.github.com/repos/me/web/releases'],
    ['https://gitlab.com/me/web', 'https://gitlab.com/me/web/-/raw/x'],
  ])('%s owns %s', (repository, address) => {
    const build = testBuild({ 'a.js': '' }, { repository });
    expect(isOwnPlace(build, address)).toBe(true);
    expect(isTrustedPlace(build, address)).toBe(true);
  });

  it.each([
    '"me/web"',
    '"github:me/web"',
    '"git+https://github.com/me/web.git"',
    '"git@github.com:me/web.git"',
    '"git://github.com/me/web"',
    '{"type":"git","url":"git+ssh://git@github.com/me/web.git"}',
  ])('reads %s of package.json', (field) => {
    const build = testBuild({ 'package.json': `{"repository":${field}}` });
    expect(isOwnPlace(build, 'https://github.com/me/web/releases/x')).toBe(true);
    expect(isOwnPlace(build, 'https://github.com/you/web/releases/x')).toBe(false);
  });

  it.each(['3', 'null', '{}', '{"url":3}', '"https://github.com"'])(
    'ignores %s in package.json',
    (field) => {
      const build = testBuild({ 'package.json': `{"repository":${field}}` });
      expect(isOwnPlace(build, 'https://github.com/me/web/x')).toBe(false);
    },
  );
});
