/** What the pages of a build show, for tests of single parts of pages. */
import type { Head, PackageRecord } from '../../format/index/record.ts';
import type { BuildView } from '../../generator/site/build/build-view.ts';
import type { Site } from '../../generator/site/site.ts';
import { NO_CAPABILITIES } from '../../scan/capabilities.ts';
import { OPEN } from '../../format/registry/status.ts';

export const SITE: Site = {
  name: 'Test & Co',
  address: 'https://registry.example/base',
  repository: undefined,
  appeals: undefined,
  hasClient: true,
  logKey: undefined,
  assets: {
    style: 'assets/style-0.css',
    early: 'assets/early-0.js',
    module: 'assets/site-0.js',
    font: 'assets/text-0.woff2',
    icon: 'assets/icon-0.svg',
    picture: 'assets/plan-0.svg',
    preview: 'assets/preview-0.png',
  },
  hasHighlighting: false,
};

const INTEGRITY = `sha256-${'A'.repeat(43)}=`;
/** A build with the versions 1.0.0 and 1.1.0; `changes` are on top of the record of the latter. */
export function buildView(
  changes: Partial<PackageRecord> = {},
  headChanges: Partial<Head> = {},
): BuildView {
  const records = [recordOf('1.1.0', changes), recordOf('1.0.0')];
  const [latest] = records as [PackageRecord, PackageRecord];
  const head: Head = {
    id: latest.id,
    kind: latest.kind,
    latest: latest.version,
    versions: records.map(({ version, published_at, risk }) => {
      const needs = { requires: {}, provides: [], builds: {} };
      return {
        version,
        published_at,
        integrity: INTEGRITY,
        ...needs,
        risk,
        status: OPEN,
      };
    }),
    ...headChanges,
  };
  return {
    id: latest.id,
    latest,
    sizes: { '1.0.0': 1_000, '1.1.0': 1_000 },
    place: undefined,
    head,
    compatibility: undefined,
    waivers: undefined,
    capabilities: NO_CAPABILITIES,
    advisories: [],
    dependents: [],
    dependentCount: 0,
    providers: {},
    foundations: [],
    modules: [],
    brings: {},
  };
}

function recordOf(version: string, changes: Partial<PackageRecord> = {}): PackageRecord {
  const description = 'Serves pages';
  const day = version === '1.0.0' ? '01' : '02';
  return {
    id: 'alice/web',
    kind: 'module',
    description,
    version,
    latest: '1.1.0',
    keywords: ['web'],
    requires: {},
    provides: [],
    license: 'MIT',
    repository: '',
    risk: 'ok',
    quality: 90,
    downloads: 0,
    agent_reports: { success: 0, failure: 0, success_rate: 0 },
    flags: 0,
    reputation: 50,
    updated_at: `2026-01-${day}T00:00:00.000Z`,
    manifest: { name: 'web', version, kind: 'module', description, license: 'MIT' },
    readme: '',
    integration: '',
    files: [],
    checks: { risk: 'ok', quality: 90, findings: [] },
    integrity: INTEGRITY,
    publisher: 'admin:alice',
    published_at: `2026-01-${day}T00:00:00.000Z`,
    versions: [],
    ...changes,
  };
}
