import { describe, expect, it } from 'vitest';
import { RegistryConfig } from '../../format/registry/registry-config.ts';
import { headersFile } from './headers.ts';
import { homePage } from './home.ts';

const BUILD = {
  id: 'a/x',
  kind: 'module' as const,
  latest: '1.0.0',
  description: '<script>alert(1)</script> & "quotes"',
  keywords: [],
  requires: {},
  provides: [],
  license: 'MIT',
  risk: 'ok' as const,
  quality: 100,
  downloads: 0,
  agent_reports: { success: 0, failure: 0, success_rate: 0 },
  reputation: 50,
  updated_at: '2026-01-01T00:00:00.000Z',
  deprecated: true,
  yanked: false,
};

describe('homePage()', () => {
  const config = RegistryConfig.parse({ name: 'A & B', base_url: 'https://example.org/r' });

  it('escapes what publishers write', () => {
    const page = homePage({ config, builds: [BUILD], total: 1, hasClient: false });
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;');
    expect(page).toContain('<title>A &amp; B</title>');
  });

  it('links records and gives the command', () => {
    const page = homePage({ config, builds: [BUILD], total: 2, hasClient: false });
    expect(page).toContain('<a href="builds/a/x.json">a/x</a>');
    expect(page).toContain('stackyard add a/x --registry https://example.org/r');
    expect(page).toContain('1.0.0 module deprecated');
    expect(page).toContain('catalog.json</a> has all');
  });

  it('starts a project from a foundation', () => {
    const foundation = { ...BUILD, kind: 'foundation' as const };
    const page = homePage({ config, builds: [foundation], total: 1, hasClient: false });
    expect(page).toContain('stackyard new a/x my-app --registry https://example.org/r');
    expect(page).not.toContain('stackyard add');
  });
});

describe('homePage() of a registry with a client', () => {
  it.each([
    ['https://example.org/r', 'npx --yes https://example.org/r/client/stackyard.tgz add a/x'],
    ['', 'npx --yes &lt;address of this page&gt;/client/stackyard.tgz add a/x'],
  ])('gives the command that runs it, for the address "%s"', (base_url, command) => {
    const config = RegistryConfig.parse({ base_url });
    expect(homePage({ config, builds: [BUILD], total: 1, hasClient: true })).toContain(command);
  });
});

describe('headersFile()', () => {
  it('makes tarballs immutable and documents fresh', () => {
    expect(headersFile()).toContain(
      '/builds/*.tgz\n  Cache-Control: public, max-age=31536000, immutable\n',
    );
    expect(headersFile()).toContain('/heads/*\n  Cache-Control: public, max-age=60, s-maxage=60\n');
  });
});
