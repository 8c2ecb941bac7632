import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '../plan/plan.ts';
import { addReadme } from './project-readme.ts';

let project: string;
beforeEach(() => void (project = mkdtempSync(join(tmpdir(), 'readme-'))));
afterEach(() => rmSync(project, { recursive: true }));

const PLAN = {
  builds: [
    { id: 'a/start', version: '1.0.0' },
    { id: 'a/auth', version: '2.1.0' },
  ],
  edits: [{ path: 'stackyard.lock.json', action: 'create' }],
} as unknown as Plan;

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
}

describe('addReadme()', () => {
  test('names the project, its builds, its commands and its variables', async () => {
    const scripts = { dev: 'tsx watch src', lint: 'a | b' };
    write({ 'package.json': JSON.stringify({ scripts }), '.env.example': '', 'AGENTS.md': '' });
    const { edits } = await addReadme(project, 'my_app', PLAN);
    expect(edits).toEqual([
      { path: 'README.md', action: 'create', after: expect.stringMatching(/^sha256-/) },
      ...PLAN.edits,
    ]);
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toBe(`# my\\_app

Started from \`a/start\` 1.0.0, with \`a/auth\` 2.1.0.

## Commands

| Command | What it does |
|---|---|
| \`npm install\` | installs the packages |
| \`npm run dev\` | \`tsx watch src\` |
| \`npm run lint\` | \`a \\| b\` |

Variables: copy \`.env.example\`, which describes them, to \`.env\`.

How to work on it: [AGENTS.md](AGENTS.md).
`);
  });

  test('keeps the file that a foundation brings', async () => {
    write({ 'README.md': 'mine' });
    expect(await addReadme(project, 'app', PLAN)).toBe(PLAN);
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toBe('mine');
  });
});
