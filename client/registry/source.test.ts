import { describe, expect, it } from 'vitest';
import { parseRegistryAddress } from './source.ts';

describe('parseRegistryAddress()', () => {
  it.each([
    [
      'git+ssh://git@host.example/team/builds.git#main',
      'ssh://git@host.example/team/builds.git',
      'main',
    ],
    [
      'git+https://host.example:8443/builds#teams/next',
      'https://host.example:8443/builds',
      'teams/next',
    ],
    ['git+file:///srv/builds', 'file:///srv/builds', undefined],
    ['git+http://127.0.0.1:80/builds', 'http://127.0.0.1:80/builds', undefined],
  ])('reads %s', (text, url, branch) => {
    expect(parseRegistryAddress(text)).toEqual({ base: text, git: { url, branch } });
  });

  it.each([
    ['git+ext://sh', 'ERR_USAGE'],
    ['git+ssh://-oProxyCommand=x/builds', 'ERR_USAGE'],
    ['git+ssh://git:s3cr3t@host/builds', 'ERR_USAGE'],
    ['git+https://token@host/builds', 'ERR_USAGE'],
    ['git+ssh://git@host/...', 'ERR_USAGE'],
    ['git+ssh://git@host/builds#--upload-pack=x', 'ERR_USAGE'],
    ['git+ssh://git@host/builds#a..b', 'ERR_USAGE'],
    ['git+ssh://git@host/builds?x', 'ERR_USAGE'],
    ['git+file:///a b', 'ERR_USAGE'],
    ['git+http://host.example/builds', 'ERR_INSECURE_URL'],
  ])('refuses %s', (text, code) => {
    expect(() => parseRegistryAddress(text)).toThrow(expect.objectContaining({ code }));
  });
});
