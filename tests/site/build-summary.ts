/** A build in lists, for tests of single parts of pages. */
import type { BuildSummary } from '../../format/index/record.ts';

export function buildSummary(changes: Partial<BuildSummary> = {}): BuildSummary {
  return {
    id: 'alice/web',
    kind: 'module',
    latest: '1.0.0',
    description: '',
    keywords: [],
    requires: {},
    provides: [],
    license: 'MIT',
    risk: 'ok',
    quality: 100,
    downloads: 0,
    agent_reports: { success: 0, failure: 0, success_rate: 0 },
    reputation: 50,
    updated_at: '2026-01-01T00:00:00.000Z',
    deprecated: false,
    yanked: false,
    ...changes,
  };
}
