import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scan } from '../scan.ts';
import { agentInstructions } from './agent/agent-instructions.ts';
import { licenseFile } from './quality/license-file.ts';
import { testBuild } from '../test-build.ts';

const MIT = readFileSync(join(import.meta.dirname, '../../LICENSE'), 'utf8');

describe('agentInstructions', () => {
  it.each(['AGENTS.md', 'docs/AGENTS.md', 'CLAUDE.md', '.cursor/rules/a.mdc', '.mcp.json'])(
    'names %s',
    (path) => {
      expect(agentInstructions.run(testBuild({ [path]: 'x' }))).toEqual([
        { level: 'info', code: 'agent-instructions', file: path, args: {} },
      ]);
    },
  );

  it.each(['src/agents.ts', 'README.md', 'AGENTS.md.bak', 'cursor/rules.md'])(
    'leaves %s alone',
    (path) => {
      expect(agentInstructions.run(testBuild({ [path]: 'x' }))).toEqual([]);
    },
  );
});

describe('licenseFile', () => {
  it.each(['LICENSE', 'LICENSE.md', 'licence.txt', 'COPYING', 'LICENSE-MIT', 'LICENSES/MIT.txt'])(
    'is content with %s',
    (path) => {
      expect(licenseFile.run(testBuild({ [path]: MIT }))).toEqual([]);
    },
  );

  it.each([
    [{}, 'license-file-missing', ''],
    [{ 'src/LICENSE': 'text' }, 'license-file-missing', ''],
    [{ 'licenses.ts': 'text' }, 'license-file-missing', ''],
    [{ LICENSE: ' \n' }, 'license-file-empty', 'LICENSE'],
  ])('%j: %s', (files, code, file) => {
    expect(licenseFile.run(testBuild(files))).toMatchObject([{ code, file, level: 'warn' }]);
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
    expect(scan(testBuild({ LICENSE: MIT }), [broken, licenseFile])).toMatchObject([
      { code: 'check-failed', args: { check: 'broken', problem: 'no luck' } },
    ]);
  });
});
