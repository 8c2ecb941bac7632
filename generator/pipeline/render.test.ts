import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseDocument } from '../../format/document/document.ts';
import { PackageRecord } from '../../format/index/record.ts';
import { NO_CAPABILITIES } from '../../scan/capabilities.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';
import { Stage } from './emit.ts';
import { render, type StoredBuild } from './render.ts';

const OID = '1'.repeat(40);
const reader = { read: () => Promise.resolve(undefined) };

/** The first `count` versions of a build, as the state has them. */
function stored(count: number, changes: Partial<StoredBuild> = {}): StoredBuild {
  const numbers = Array.from({ length: count }, (_, at) => `1.${at}.0`);
  const time = (at: number): string => new Date((1_790_000_000 + at) * 1000).toISOString();
  return {
    id: 'alice/web',
    versions: numbers.map((version, at) => JSON.stringify(factsOf(version, time(at)))),
    places: numbers.map((version, index) => ({ version, index, commit: OID, tree: OID })),
    documents: {},
    statuses: {},
    lost: {},
    deprecated: undefined,
    moved: undefined,
    waivers: {},
    advisories: [],
    matrix: undefined,
    packages: [],
    downloads: 0,
    reports: { success: 0, failure: 0 },
    flags: 0,
    reputation: 50,
    changed_at: '',
    ...changes,
  };
}

function factsOf(version: string, published_at: string): VersionFacts {
  const manifest = { name: 'web', version, kind: 'module', description: 'd', license: 'MIT' };
  return {
    version,
    published_at,
    manifest: manifest as VersionFacts['manifest'],
    readme: `# Web ${version}`,
    integration: '',
    files: [],
    findings: [{ level: 'info', code: 'x', file: '', message: 'as it was then' }],
    capabilities: NO_CAPABILITIES,
    risk: 'ok',
    quality: 90,
    integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    size: 10,
  };
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'stackyard-render-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const NOTHING = { items: undefined, kept: {} };

it.each([3, 50, 63, 400])(
  'render() writes at most six files for the next version of a build with %i',
  async (count) => {
    const out = folder();
    const stage = new Stage(out);
    const { made } = await render(stored(count), NOTHING, { stage, reader });
    expect(Object.keys(made)).toHaveLength(count);
    stage.publish();
    const known = { documents: made };
    const again = await render(stored(count, known), NOTHING, { stage, reader });
    expect([again.written, stage.staged(), again.made]).toEqual([0, [], {}]);
    const next = await render(stored(count + 1, known), NOTHING, { stage, reader });
    expect(Object.keys(next.made)).toEqual([`1.${count}.0`]);
    expect(next.written).toBeLessThanOrEqual(6);
    // A full run writes the same.
    const full = new Stage(folder());
    const whole = await render(stored(count + 1), NOTHING, { stage: full, reader });
    expect(whole.headDigest).toBe(next.headDigest);
    expect(whole.named).toEqual(next.named);
  },
);

it('render() makes the same document of a version that was withdrawn, and a record without texts', async () => {
  const stage = new Stage(folder());
  const { made } = await render(stored(1), NOTHING, { stage, reader });
  const textOf = (): unknown =>
    parseDocument(PackageRecord, stage.find('builds/alice/web.json')!, 'record').readme;
  expect(textOf()).toBe('# Web 1.0.0');
  const withdrawn = stored(1, { statuses: { '1.0.0': { is: 'withdrawn', reason: 'x' } } });
  const again = await render(withdrawn, NOTHING, { stage, reader });
  expect([again.made, textOf()]).toEqual([made, '']);
});
