/** `search` through the program, on a generated registry and on catalogs made by hand. */
import { describe, expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeProject, serveChanged, serveRegistry, stackyard } from './registry-fixture.ts';

interface Found {
  readonly status: number | null;
  readonly ids: string[];
  readonly data: Record<string, unknown>;
  readonly stderr: string;
}

async function search(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Found> {
  const ended = await stackyard(['search', ...args, '--json'], variables);
  const document = JSON.parse(ended.stdout) as { data: { builds?: { id: string }[] } };
  const { data } = document;
  const ids = data.builds?.map(({ id }) => id) ?? [];
  return { status: ended.status, ids, data: document.data, stderr: ended.stderr };
}

async function shop(): Promise<{ url: string; index: string }> {
  const git = new GitFixture();
  git.commit(
    build('a/sqlite', '1.0.0', { description: 'A database', stack: { provides: ['sql'] } }),
  );
  git.commit(build('a/cart', '1.0.0', { description: 'Shopping with sqlite', keywords: ['shop'] }));
  git.commit(build('b/sqlite', '1.0.0', { description: 'An old database' }));
  git.commit(build('b/gone', '1.0.0', { keywords: ['sqlite'] }));
  git.commit(build('a/start', '1.0.0', { kind: 'foundation', keywords: ['sqlite'] }));
  git.commit(
    build('a/future', '1.0.0', { keywords: ['sqlite'], stack: { requires: { node: '>=900' } } }),
  );
  git.commit({
    'builds/b/owner.json': JSON.stringify({
      account_id: 1,
      maintainers: [],
      yanked: { gone: { '1.0.0': 'leaks' } },
      deprecated: { sqlite: { reason: 'use another' } },
    }),
  });
  return serveRegistry(git);
}

describe('search', () => {
  it('ranks names before tags before descriptions, deprecated last, yanked by its id only', async () => {
    const { url } = await shop();
    const { ids, data } = await search(['sqlite', '--registry', url]);
    expect(ids).toEqual(['a/sqlite', 'a/future', 'a/start', 'a/cart', 'b/sqlite']);
    expect(data['total']).toBe(5);
    expect((await search(['b/gone', '--registry', url])).ids[0]).toBe('b/gone');
    const result = await stackyard(['search', 'sqlite', '--registry', url, '--limit', '1']);
    expect([result.status, result.stdout.split('\n')[0], result.stdout.split('\n')[2]]).toEqual([
      0,
      expect.stringMatching(/^a\/sqlite 1\.0\.0 {2}module, risk ok, quality \d+, 0 downloads/),
      '4 more: --limit 5',
    ]);
  });

  it('finds builds with all words, and narrows by kind and tags', async () => {
    const { url } = await shop();
    const ids = async (...args: string[]) => (await search([...args, '--registry', url])).ids;
    expect(await ids('sqlite', 'shopping')).toEqual(['a/cart']);
    expect(await ids('sqlite', 'kind:foundation')).toEqual(['a/start']);
    expect(await ids('provides:sql')).toEqual(['a/sqlite']);
    expect(await ids('requires:node', 'sqlite')).toEqual(['a/future']);
  });

  it('corrects a misspelt word, and reports that', async () => {
    const { url } = await shop();
    for (const slip of ['sqlte', 'sqilte', 'sqlitte', 'SQLITEE']) {
      const { ids, data } = await search([slip, '--registry', url]);
      expect([ids[0], data['corrected']]).toEqual(['a/sqlite', 'sqlite']);
    }
    const result = await stackyard(['search', 'sqilte', '--registry', url]);
    const note = 'No build has "sqilte". Results for "sqlite".';
    expect(result.stdout.split('\n')[0]).toBe(note);
    expect((await search(['sqilte', '--registry', url])).data['note']).toBe(note);
    expect((await search(['wholly-unknown', '--registry', url])).ids).toEqual([]);
  });

  it('with --fits returns only modules that could be added to the project', async () => {
    const { url } = await shop();
    const project = makeProject();
    const args = ['sqlite', '--fits', '-C', project, '--registry', url];
    const { ids } = await search(args);
    expect(ids).toEqual(['a/sqlite', 'a/cart', 'b/sqlite']);
    expect((await search([...args, '--limit', '1'])).ids).toEqual(['a/sqlite']);
    const result = await stackyard(['search', ...args, '--limit', '1']);
    expect(result.stdout).toContain('4 were not tried: --limit 5');
  });

  it('with --fits returns the newest version that fits, with the risk of that version', async () => {
    const git = new GitFixture();
    git.commit(build('a/web', '1.0.0', { description: 'Serves' }));
    git.commit(build('a/web', '1.1.0', { description: 'Serves' }));
    git.commit(
      build('a/web', '2.0.0', { description: 'Serves', stack: { requires: { node: '>=900' } } }),
    );
    git.commit(build('a/never', '1.0.0', { stack: { requires: { node: '>=900' } } }));
    const { url } = await serveRegistry(git);
    const project = makeProject();
    const args = ['--fits', '-C', project, '--registry', url];
    const fitting = { id: 'a/web', version: '1.1.0', latest: '2.0.0', installed: false };
    const found = await search(['serves', ...args]);
    expect(found.data).toMatchObject({ builds: [fitting], total: 1, matching: 1, looked_at: 1 });
    // Without words: of all builds.
    const all = await search(args);
    expect(all.data).toMatchObject({ builds: [fitting], total: 1, matching: 2, looked_at: 2 });
    const first = await stackyard(['search', ...args, '--limit', '1']);
    expect(first.stdout).toMatch(/^a\/web 1\.1\.0 .* newest that fits \(latest is 2\.0\.0\)$/m);
    await stackyard([
      'add',
      'a/web@1.0.0',
      '-C',
      project,
      '--registry',
      url,
      '--no-install',
      '--allow',
      'root',
    ]);
    const installed = { id: 'a/web', version: '1.0.0', installed: true };
    expect((await search(args)).data).toMatchObject({ builds: [installed] });
    const none = await stackyard(['search', 'never', ...args]);
    expect([none.status, none.stdout]).toEqual([
      0,
      'None of 1 found could be added to this project: "stackyard add <build> --dry-run" shows why\n',
    ]);
  });

  it('works from the cache alone', async () => {
    const { url } = await shop();
    const variables = { STACKYARD_CACHE: temporaryFolder(), STACKYARD_REGISTRY: url };
    const online = await search(['sqlite'], variables);
    const offline = await search(['sqlite', '--offline'], variables);
    expect(offline).toEqual(online);
    const empty = await search(['sqlite', '--offline'], { STACKYARD_REGISTRY: url });
    expect(empty.status).toBe(7);
  });
});

describe('a catalog', () => {
  it('that names a shard with other bytes, or a missing one, is refused', async () => {
    const { index } = await shop();
    const evil = await serveChanged(index, ({ url }, response) => {
      const isShard = url?.startsWith('/catalog/') === true;
      if (isShard) response.end('{"builds":[]}');
      return isShard;
    });
    const altered = await stackyard(['search', 'sqlite', '--registry', evil]);
    expect([altered.status, altered.stderr]).toEqual([6, expect.stringContaining('digest')]);
    const gone = await serveChanged(index, ({ url }, response) => {
      const isShard = url?.startsWith('/catalog/') === true;
      if (isShard) response.writeHead(404).end();
      return isShard;
    });
    const lost = await stackyard(['search', 'sqlite', '--registry', gone]);
    expect([lost.status, lost.stderr]).toEqual([6, expect.stringContaining('is missing')]);
  });
});
