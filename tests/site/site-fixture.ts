/** A registry of builds whose pages have everything to show, and some that try to break them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '../../generator/pipeline/pipeline.ts';
import type { Report } from '../../generator/pipeline/report.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';

const HOSTILE = '"\'><script>alert(1)</script><img src=x onerror=alert(1)>';
const BIDI = 'user\u202Eexe.txt';

export function config(changes: object = {}): Files {
  const value = { name: 'Test & Co', base_url: 'https://registry.example/base', ...changes };
  return { 'registry.config.json': JSON.stringify(value) };
}

/** Makes the pages of `git` in a folder of their own or at `out`. */
export function makeSite(
  git: GitFixture,
  out: string = join(temporaryFolder(), 'index'),
  options: { readonly full?: boolean } = {},
): Promise<Report> & { readonly out: string } {
  const run = generate({ repo: git.folder, out, threads: 1, ...options });
  return Object.assign(run, { out });
}

/** Paths of all files that end with `ending`. */
export function filesOf(out: string, ending = ''): string[] {
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1))
    .sort();
}

export function read(out: string, path: string): string {
  return readFileSync(join(out, path), 'utf8');
}

/** Several owners, versions, a yank, a deprecation, requirements, signals, odd files and hostile texts. */
/** @param folder by default one that goes away with the test */
export function fullRepository(folder?: string): GitFixture {
  const git = new GitFixture(folder);
  git.commit({
    ...config(),
    ...build('alice/web', '1.0.0', {
      description: `Serves pages ${HOSTILE}`,
      keywords: ['REST api', HOSTILE, 'x'.repeat(300), BIDI],
      stack: { requires: { express: '>=4' }, provides: ['@scope/web'] },
      env: { TOKEN: { description: HOSTILE, example: HOSTILE, required: true } },
      homepage: 'https://alice.example/"><script>',
    }),
    ...build('bob/start', '1.0.0', { kind: 'foundation', stack: { provides: ['express'] } }),
  });
  git.commit(
    build(
      'alice/web',
      '1.1.0',
      {
        description: `Serves pages ${HOSTILE}`,
        keywords: ['REST api', HOSTILE, 'x'.repeat(300), BIDI],
        stack: { requires: { express: '>=4' }, provides: ['@scope/web'] },
        builds: { 'bob/base': '^1.0.0' },
      },
      {
        'README.md': `# alice/web\n\n${HOSTILE}\n\n[guide](docs/guide.md) [gone](x.md)\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n`,
        'INTEGRATION.md': `# Integrate\n\n## Steps\n\n1. Do it.\n\n<iframe src="https://evil.example"></iframe>\n`,
        'docs/guide.md': '# Guide\n',
        'src/[id]/+page #1 100%.ts': 'export const odd = 1;\r\n',
        'src/latin1.txt': Buffer.from('caf\u00e9', 'latin1'),
        'src/picture.svg':
          '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        'src/page.html': '<script>alert(1)</script>',
        'src/min.js': `var a=${'1+'.repeat(60_000)}1;`,
      },
    ),
  );
  git.commit(build('bob/base', '1.0.0', { description: 'Required by others' }));
  git.commit({
    ...build('bob/old', '1.0.0'),
    'builds/bob/owner.json': JSON.stringify({
      account_id: 7,
      yanked: { start: { '1.0.0': `Broken ${HOSTILE}` } },
      deprecated: { old: { reason: `Unmaintained ${HOSTILE}`, replacement: 'bob/base' } },
    }),
  });
  git.commit({
    'advisories/x_TEST-2026-0001.json': JSON.stringify({
      schema_version: '1.7.0',
      id: 'x_TEST-2026-0001',
      modified: '2026-04-01T00:00:00Z',
      summary: `Rows are lost ${HOSTILE} ${BIDI}`,
      details: `# Rows\n\n${HOSTILE}\n\n[more](https://bob.example/)\n`,
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }],
      references: [{ type: 'WEB', url: 'https://bob.example/"><script>' }],
      affected: [
        {
          database_specific: { build: 'bob/base' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
        },
      ],
    }),
    'signals/bob/base.json': JSON.stringify({
      downloads: 7,
      months: { log: { '2026-01': { '1.0.0': 3 }, '2026-03': { '1.0.0': 4 } } },
      agent_reports: { success: 3, failure: 1 },
      updated_at: '2026-04-01T00:00:00.000Z',
    }),
  });
  return git;
}
