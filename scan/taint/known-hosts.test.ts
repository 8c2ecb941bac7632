import { describe, expect, it } from 'vitest';
import { isDistributor, isShared } from './known-hosts.ts';

describe('isDistributor()', () => {
  it.each(['www.npmjs.com', 'github.com', 'docs.pypi.org', 'cdn.playwright.dev'])(
    '%s distributes packages',
    (host) => {
      expect(isDistributor(host)).toBe(true);
    },
  );

  it.each(['npmjs.org.evil.com', 'evilgithub.com', 'github.com.evil.io', 'githubusercontent.com'])(
    '%s does not',
    (host) => {
      expect(isDistributor(host)).toBe(false);
    },
  );
});

describe('isShared()', () => {
  it.each(['github.com', 'raw.githubusercontent.com', 'x.storage.googleapis.com', 'unpkg.com'])(
    '%s is open to anybody',
    (host) => {
      expect(isShared(host)).toBe(true);
    },
  );

  it.each(['nodejs.org', 'registry.npmjs.org', 'github.com.evil.io'])('%s is not', (host) => {
    expect(isShared(host)).toBe(false);
  });
});
