/** An index made of the documents of versions and owners alone, and log lines about it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { ownerPath, versionPath } from '../../format/index/layout.ts';
import type { VersionDocument } from '../../format/index/version-document.ts';
import { provenanceOf } from '../../format/provenance/provenance.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';

const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
export const SIZE = 4_096;
/** Day of UTC in the tests: 2026-11-21. */
export const TODAY = Date.UTC(2026, 10, 21) / 86_400_000;

/** Build id to its versions, all published on 2026-01-01; owner to account. */
export function makeIndex(
  builds: Readonly<Record<string, readonly string[]>>,
  accounts: Readonly<Record<string, number>> = {},
): string {
  const folder = temporaryFolder();
  const write = (path: string, value: unknown): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), canonicalJson(value));
  };
  write('registry.json', {});
  for (const [id, versions] of Object.entries(builds)) {
    for (const version of versions) write(versionPath(id, version), documentOf(id, version));
    const owner = id.split('/')[0] ?? '';
    const account = accounts[owner];
    write(ownerPath(owner), {
      owner,
      builds: [id],
      reputation: 50,
      reputation_parts: {},
      ...(account === undefined ? {} : { account_id: account }),
    });
  }
  return folder;
}

function documentOf(id: string, version: string): VersionDocument {
  const at = { published_at: '2026-01-01T10:00:00.000Z', integrity: INTEGRITY };
  const name = id.slice(id.indexOf('/') + 1);
  const manifest = { name, version, kind: 'module', description: 'd', license: 'MIT' } as const;
  const oid = '0'.repeat(40);
  const entry = { type: 'publish', id, version, commit: oid, tree: oid, ...at } as const;
  const lists = { hosts: [], environment: [], reads: [], writes: [], processes: [], unread: [] };
  return {
    id,
    version,
    ...at,
    size: SIZE,
    manifest,
    files: [],
    checks: { risk: 'ok', quality: 50, findings: [] },
    capabilities: { ...lists, dynamic_code: false },
    provenance: provenanceOf(entry, 0),
  };
}

export interface Read {
  readonly id?: string;
  readonly version?: string;
  readonly address?: string;
  /** Day of November 2026. */
  readonly day?: number;
  readonly method?: string;
  readonly status?: number;
  readonly bytes?: number | '-';
  readonly agent?: string;
}

/** A line of the combined format. */
export function logLine(read: Read = {}): string {
  const { id = 'a/x', version = '1.0.0', address = '192.0.2.7', day = 20 } = read;
  const { method = 'GET', status = 200, bytes = SIZE, agent = 'curl/8' } = read;
  const time = `${String(day).padStart(2, '0')}/Nov/2026:09:30:00 +0000`;
  const target = `/builds/${id}/${encodeURIComponent(version)}.tgz`;
  return `${address} - - [${time}] "${method} ${target} HTTP/1.1" ${status} ${bytes} "-" "${agent}"\n`;
}
