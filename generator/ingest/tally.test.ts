import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tarballPath, urlPath } from '../../format/index/layout.ts';
import { parseTarballTarget, isRobot } from './tally.ts';

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

it.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'GPTBot/1.2',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
  'Mozilla/5.0%20(compatible;%20YandexBot/3.0)',
  'facebookexternalhit/1.1',
  'Baiduspider+(+http://www.baidu.com/search/spider.htm)',
  'Pingdom.com_bot_version_1.4',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'python-requests/2.31 my-crawler',
])('isRobot() knows %s', (agent) => {
  expect(isRobot(agent)).toBe(true);
});

it.each([
  '',
  '-',
  'curl/8.9.1',
  'npm/11%20node/24',
  'yarn/4',
  'Wget/1.21',
  'node',
  'undici',
  'stackyard/0.1.0',
  'python-requests/2.31.0',
  'Go-http-client/2.0',
  'GitHub-Actions/1.0 (CI)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; CUBOT_X30) AppleWebKit/537.36',
  'bottle/1.0',
])('isRobot() lets %j pass', (agent) => {
  expect(isRobot(agent)).toBe(false);
});

it('isRobot() remembers a bounded number of agents', () => {
  for (let n = 0; n < 30_000; n += 1) expect(isRobot(`agent ${n}`)).toBe(false);
  expect(isRobot('Googlebot/2.1')).toBe(true);
});
