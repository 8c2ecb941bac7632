/** Advisories as their authors write them. */
import type { Advisory } from '../../format/advisory/advisory.ts';

export const ADVISORY: Advisory = {
  schema_version: '1.9.0',
  id: 'x_STACKYARD-2026-0001',
  modified: '2026-02-01T09:00:00Z',
  published: '2026-02-01T09:00:00Z',
  summary: 'Rows of other users are returned',
  affected: [
    {
      database_specific: { build: 'a/x' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.1.0' }] }],
    },
  ],
};

/** The file of an advisory: path to content. */
export function advisoryFile(changes: Partial<Advisory> = {}): Record<string, string> {
  const advisory = { ...ADVISORY, ...changes };
  return { [`advisories/${advisory.id}.json`]: `${JSON.stringify(advisory, null, 2)}\n` };
}

/** `affected` of versions from `introduced` until before `fixed`. */
export function affects(name: string, introduced: string, fixed?: string): Advisory['affected'] {
  const end = fixed === undefined ? [] : [{ fixed }];
  return [
    {
      database_specific: { build: name },
      ranges: [{ type: 'SEMVER', events: [{ introduced }, ...end] }],
    },
  ];
}
