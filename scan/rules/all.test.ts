import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../format/build/manifest.ts';
import { scan } from '../scan.ts';
import { agentInstructions } from './agent/agent-instructions.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import { licenseFile } from './quality/license-file.ts';
import { openBuild } from '../open-build.ts';

const MIT = readFileSync(join(import.meta.dirname, '../../LICENSE'), 'utf8');
const MANIFEST: Manifest = {
  name: 'x',
  version: '1.0.0',
  kind: 'module',
  description: 'd',
  license: 'MIT',
};

function built(files: Readonly<Record<string, string>>): ScannedBuild {
  const list = Object.entries(files).map(([path, text]) => {
    return { path, bytes: Buffer.from(text), executable: false };
  });
  return openBuild({ id: 'a/x', manifest: MANIFEST, files: list });
}

describe('agentInstructions', () => {
  it.each(['AGENTS.md', 'docs/AGENTS.md', 'CLAUDE.md', '.cursor/rules/a.mdc', '.mcp.json'])(
    'names %s',
    (path) => {
      expect(agentInstructions.run(built({ [path]: 'x' }))).toEqual([
        { level: 'info', code: 'agent-instructions', file: path, args: {} },
      ]);
    },
  );

  it.each(['src/agents.ts', 'README.md', 'AGENTS.md.bak', 'cursor/rules.md'])(
    'leaves %s alone',
    (path) => {
      expect(agentInstructions.run(built({ [path]: 'x' }))).toEqual([]);
    },
  );
});

describe('licenseFile', () => {
  it.each(['LICENSE', 'LICENSE.md', 'licence.txt', 'COPYING', 'LICENSE-MIT', 'LICENSES/MIT.txt'])(
    'is content with %s',
    (path) => {
      expect(licenseFile.run(built({ [path]: MIT }))).toEqual([]);
    },
  );

  it.each([
    [{}, 'license-file-missing', ''],
    [{ 'src/LICENSE': 'text' }, 'license-file-missing', ''],
    [{ 'licenses.ts': 'text' }, 'license-file-missing', ''],
    [{ LICENSE: ' \n' }, 'license-file-empty', 'LICENSE'],
  ])('%j: %s', (files, code, file) => {
    expect(licenseFile.run(built(files))).toMatchObject([{ code, file, level: 'warn' }]);
  });
});

describe('scan()', () => {
  it('turns a check that throws into a finding', () => {
    const broken = {
      name: 'broken',
      run: () => {
        throw new Error('no luck');
      },
    };
    expect(scan(built({ LICENSE: MIT }), [broken, licenseFile])).toMatchObject([
      { code: 'check-failed', args: { check: 'broken', problem: 'no luck' } },
    ]);
  });
});
