import { describe, expect, test } from 'vitest';
import { leaveOutFiles } from './left-out-files.ts';
import type { FetchedBuild, PlanInput } from './plan.ts';

const PATHS = ['AGENTS.md', '.claude/settings.json', '.github/workflows/ci.yml', 'src/a.ts'];

function kept(
  kind: 'foundation' | 'module',
  allow: readonly string[],
  installed: readonly string[] = [],
): readonly [paths: readonly string[], warnings: readonly string[]] {
  const bytes = new Uint8Array();
  const files = new Map(PATHS.map((path) => [path, { bytes, executable: false }]));
  const build = { id: 'a/start', manifest: { kind }, files } as unknown as FetchedBuild;
  const lock = {
    builds: { 'a/start': { files: Object.fromEntries(installed.map((p) => [p, {}])) } },
  };
  const input = { builds: [build], lock, allow: new Set(allow) } as unknown as PlanInput;
  const { builds, warnings } = leaveOutFiles(input);
  return [[...builds[0]!.files.keys()], warnings.map(({ message }) => message)];
}

describe('leaveOutFiles()', () => {
  test('leaves out what needs consent, except AGENTS.md, and names the group', () => {
    expect(kept('foundation', [])).toEqual([
      ['AGENTS.md', 'src/a.ts'],
      [
        'Left out .claude/settings.json (agent), .github/workflows/ci.yml (ci): ' +
          '"stackyard view a/start <file>" prints them, --allow agent,ci installs them',
      ],
    ]);
  });

  test('keeps what the user allows, and what the installed version has', () => {
    expect(kept('foundation', ['agent', 'ci'])).toEqual([PATHS, []]);
    expect(kept('foundation', ['agent'], ['.github/workflows/ci.yml'])).toEqual([PATHS, []]);
  });

  test('leaves the files of modules, which need consent', () => {
    expect(kept('module', [])).toEqual([PATHS, []]);
  });
});
