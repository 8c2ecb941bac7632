import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tarballPath, urlPath } from '../../format/index/layout.ts';
import { parseTarballTarget } from './tally.ts';

describe('parseTarballTarget()', () => {
  it.each([
    ['/builds/a/b/1.0.0.tgz', '', '1.0.0'],
    ['/builds/a/b/1.0.0.tgz?x=1#y', '', '1.0.0'],
    ['/builds/a/b/1.0.0%2Bb1.tgz', '', '1.0.0+b1'],
    ['/builds/a/b/1.0.0+b1.tgz', '', '1.0.0+b1'],
    ['/registry/builds/a/b/1.0.0.tgz', '/registry', '1.0.0'],
    ['https://registry.example:8443/builds/a/b/1.0.0.tgz', '', '1.0.0'],
  ])('reads %s below %j', (target, base, version) => {
    expect(parseTarballTarget(target, base)).toEqual({ id: 'a/b', version });
  });

  it.each([
    ['/builds/a/b/1.0.0.json', ''],
    ['/builds/a/b.json?x=/builds/a/b/1.0.0.tgz', ''],
    ['/builds/a/b/1.0.tgz', ''],
    ['/builds/a/b/../b/1.0.0.tgz', ''],
    ['//builds/a/b/1.0.0.tgz', ''],
    ['/builds/A/b/1.0.0.tgz', ''],
    ['/builds/a/b/%zz.tgz', ''],
    ['/builds/a/b/1.0.0.tgz', '/registry'],
    ['/registrybuilds/a/b/1.0.0.tgz', '/registry'],
    ['*', ''],
    ['', ''],
    [`/builds/a/b/1.0.0${'%20'.repeat(1_000)}.tgz`, ''],
  ])('finds no tarball in %j below %j', (target, base) => {
    expect(parseTarballTarget(target, base)).toBeUndefined();
  });

  it('is the inverse of what a client asks for', () => {
    const part = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const build = fc.stringMatching(/^(?:\+[a-z0-9]{1,8})?$/);
    fc.assert(
      fc.property(part, part, fc.nat(99), build, (owner, name, major, meta) => {
        const [id, version] = [`${owner}/${name}`, `${major}.0.0${meta}`];
        const target = `/${urlPath(tarballPath(id, version))}`;
        expect(parseTarballTarget(target, '')).toEqual({ id, version });
      }),
    );
  });
});
