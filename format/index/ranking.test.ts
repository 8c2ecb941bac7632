import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  KnownWords,
  compareStanding,
  findBuilds,
  matchFilter,
  matchNote,
  reportBalance,
} from './ranking.ts';
import type { Ranked } from './ranking.ts';

function build(id: string, changes: Partial<Ranked> = {}): Ranked {
  return {
    id,
    kind: 'module',
    description: '',
    keywords: [],
    requires: {},
    provides: [],
    risk: 'ok',
    quality: 80,
    downloads: 0,
    agent_reports: reports(0, 0),
    deprecated: false,
    yanked: false,
    ...changes,
  };
}

function reports(success: number, failure: number): Ranked['agent_reports'] {
  return { success, failure, success_rate: 0 };
}

function idsOf(query: string, ...builds: Ranked[]): string[] {
  return findBuilds(query, builds).builds.map((b) => b.id);
}

describe('findBuilds() ranks', () => {
  it('puts what fits the words better first, whatever the downloads', () => {
    const found = idsOf(
      'login',
      build('a/other', { description: 'Shows a login page', downloads: 9_999 }),
      build('a/web-login', { downloads: 50 }),
      build('a/tagged', { keywords: ['login'] }),
      build('a/login-form'),
      build('a/login'),
      build('a/unrelated', { downloads: 99_999 }),
    );
    expect(found).toEqual(['a/login', 'a/tagged', 'a/login-form', 'a/web-login', 'a/other']);
  });

  it('finds what has the most words', () => {
    const both = build('a/x', { keywords: ['auth'], description: 'For Express' });
    expect(idsOf('auth express', both, build('a/y', { keywords: ['auth'] }))).toEqual(['a/x']);
    expect(idsOf('AUTH, express!', both)).toEqual(['a/x']);
  });

  it('puts words as they were typed above others of their stem, and those above synonyms', () => {
    const found = idsOf(
      'migration',
      build('a/related', { keywords: ['migrate'], downloads: 9 }),
      build('a/described', { description: 'Runs a migration' }),
      build('a/headed', { headings: ['A migration'] }),
      build('a/unrelated', { keywords: ['queue'] }),
    );
    expect(found).toEqual(['a/described', 'a/headed', 'a/related']);
    const tagged = [build('a/like', { keywords: ['db'] }), build('a/stem', { keywords: ['sqls'] })];
    expect(idsOf('sql', ...tagged)).toEqual(['a/stem', 'a/like']);
    const old = build('a/old', { deprecated: true, description: 'Runs a migration' });
    const related = build('a/x', { keywords: ['migrate'] });
    expect(idsOf('migration', old, related)).toEqual(['a/x', 'a/old']);
    expect(idsOf('migration', { ...old, deprecated: false }, related)).toEqual(['a/old', 'a/x']);
  });

  it('finds the builds with the most words, and goes on without words that say nothing', () => {
    const [both, one] = [
      build('a/x', { keywords: ['auth', 'hono'] }),
      build('a/y', { keywords: ['hono'] }),
    ];
    expect(idsOf('how to add auth to hono', one, both)).toEqual(['a/x']);
    expect(findBuilds('auth hono kafka', [one, both])).toMatchObject({
      builds: [both],
      match: 'some',
    });
    expect(findBuilds('login', [one, both])).toMatchObject({ builds: [both], match: 'related' });
    expect(findBuilds('hono', [one, both]).match).toBe('exact');
    expect(findBuilds('kafka', [one, both]).builds).toEqual([]);
    expect(idsOf('the', build('a/the'))).toEqual(['a/the']);
  });

  it('finds foundations as templates', () => {
    const start = { ...build('a/start'), kind: 'foundation' as const };
    expect(idsOf('boilerplate', build('a/x'), start)).toEqual(['a/start']);
  });

  it('finds stack tags that a build requires and provides', () => {
    const tagged = build('a/x', { requires: { '@scope/pkg': '*' }, provides: ['jwt'] });
    expect(idsOf('jwt pkg', tagged)).toEqual(['a/x']);
  });

  it.each([
    ['kind:module', ['a/x', 'a/y']],
    ['kind:foundation', ['a/start']],
    ['provides:auth', ['a/x']],
    ['Provides:Auth requires:express', ['a/x']],
    ['login requires:express', ['a/x']],
    ['provides:auth provides:nothing', []],
    ['requires:__proto__', []],
  ])('looks only at what %j admits', (query, expected) => {
    const auth = { provides: ['auth'], requires: { express: '>=5' }, description: 'Login' };
    const start = build('a/start', { kind: 'foundation', description: 'Login' });
    expect(idsOf(query, build('a/x', auth), build('a/y'), start)).toEqual(expected);
  });

  it('leaves out what is yanked, unless the query is its id', () => {
    const yanked = build('a/login', { yanked: true });
    expect(idsOf('login', yanked)).toEqual([]);
    expect(idsOf('', yanked)).toEqual([]);
    expect(idsOf('a/login', yanked, build('a/login-form', { provides: ['a'] }))).toEqual([
      'a/login',
      'a/login-form',
    ]);
  });

  it('finds everything for no words, in the order of standing, and bounds long queries', () => {
    const builds = [build('a/x'), build('a/y', { quality: 90 })];
    expect(idsOf('', ...builds)).toEqual(['a/y', 'a/x']);
    expect(idsOf('x '.repeat(100_000), ...builds)).toEqual(['a/x']);
  });
});

it('KnownWords.corrected() keeps what limits the builds', () => {
  const known = new KnownWords('provides:sql sqilte');
  known.add(build('a/sqlite', { provides: ['sql'] }));
  expect(known.corrected()).toBe('sqlite provides:sql');
});

describe('KnownWords', () => {
  function corrected(query: string, ...builds: Ranked[]): string | undefined {
    const known = new KnownWords(query);
    for (const one of builds) known.add(one);
    return known.corrected();
  }

  it('corrects words that no build has, and keeps the others', () => {
    const web = build('a/x', { keywords: ['sqlite'], description: 'Serves web pages' });
    expect(corrected('web sqllite', web)).toBe('web sqlite');
    expect(corrected('pages for sqlite', web)).toBeUndefined();
    // A word with synonyms, or with a stem that a build has.
    expect(corrected('postgres paged', web)).toBeUndefined();
    expect(corrected('sqllite', { ...web, yanked: true })).toBe('sqlite');
    expect(corrected('zzzzzz', web)).toBeUndefined();
  });

  it('takes the nearest word, and of equally near ones the most frequent', () => {
    const builds = [
      build('a/x', { keywords: ['carting'] }),
      build('a/y', { keywords: ['carving'] }),
      build('b/y', { keywords: ['carving'] }),
    ];
    expect(corrected('carzing', ...builds)).toBe('carving');
    expect(corrected('carting', ...builds)).toBeUndefined();
  });
});

it('matchNote() states what the results do not have', () => {
  expect(matchNote('sqllite', 'exact', 'sqlite')).toBe(
    'No build has "sqllite". Results for "sqlite".',
  );
  expect(matchNote('a b', 'exact')).toBeUndefined();
});

describe('compareStanding()', () => {
  it.each<[string, Partial<Ranked>, Partial<Ranked>]>([
    ['proven above unproven', { agent_reports: reports(3, 0) }, {}],
    ['unproven above failing', {}, { agent_reports: reports(0, 3) }],
    ['95 of 100 above 3 of 3', { agent_reports: reports(95, 5) }, { agent_reports: reports(3, 0) }],
    ['reports before quality', { agent_reports: reports(1, 0), quality: 0 }, { quality: 100 }],
    ['quality before downloads', { quality: 81 }, { downloads: 1_000 }],
    ['downloads', { downloads: 2 }, { downloads: 1 }],
    ['deprecated last', {}, { deprecated: true, agent_reports: reports(99, 0) }],
    ['danger last', {}, { risk: 'danger', agent_reports: reports(99, 0) }],
  ])('puts %s', (_, first, second) => {
    expect(compareStanding(build('b/b', first), build('a/a', second))).toBeLessThan(0);
  });

  it('is a total order', () => {
    const any = fc
      .record({
        id: fc.constantFrom('a/x', 'a/y', 'b/x'),
        quality: fc.nat(3),
        downloads: fc.nat(3),
        success: fc.nat(4),
        failure: fc.nat(4),
        deprecated: fc.boolean(),
      })
      .map(({ success, failure, id, ...rest }) =>
        build(id, { ...rest, agent_reports: reports(success, failure) }),
      );
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(Math.sign(compareStanding(a, b)) + Math.sign(compareStanding(b, a))).toBe(0);
        if (compareStanding(a, b) <= 0 && compareStanding(b, c) <= 0) {
          expect(compareStanding(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});

it('reportBalance() is 0 without reports and stays between -1 and 1', () => {
  expect(reportBalance(build('a/x'))).toBe(0);
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), (success, failure) => {
      const balance = reportBalance(build('a/x', { agent_reports: reports(success, failure) }));
      expect(Math.abs(balance)).toBeLessThanOrEqual(1);
      expect(Math.sign(balance)).toBe(Math.sign(success - failure));
    }),
  );
});

describe('matchFilter()', () => {
  const word = fc.constantFrom('web', 'Login', 'sql', 'form', 'x', 'forms', 'users', 'db', 'the');
  const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
  const tags = fc.array(text, { maxLength: 3 });

  it('lets every match pass', () => {
    const made = fc.record({ description: text, keywords: tags, provides: tags });
    fc.assert(
      fc.property(text, text, made, (query, name, changes) => {
        const id = `a/${name.toLowerCase().replaceAll(' ', '-')}`;
        const plain = build(id, changes);
        // Text that is not ASCII is never left out, and this word is in no query.
        const judged = build(id, { ...changes, description: `${changes.description} é` });
        expect(findBuilds(query, [plain]).builds).toHaveLength(
          findBuilds(query, [judged]).builds.length,
        );
      }),
    );
  });

  it('lets every build pass that a query with some of its words finds', () => {
    fc.assert(
      fc.property(text, text, tags, (query, description, keywords) => {
        const made = build('a/b', { description, keywords });
        const { builds, match } = findBuilds(query, [made]);
        if (builds.length === 0) return;
        expect(matchFilter(query, false)(made)).toBe(true);
        if (match !== 'some') expect(matchFilter(query, true)(made)).toBe(true);
      }),
    );
  });

  it('leaves out what has none of the words', () => {
    expect(matchFilter('sqlite', true)(build('a/web'))).toBe(false);
  });

  it.each([null, 1, {}, { id: 'a/web' }, { ...build('a/web'), keywords: 'x' }])(
    'lets %j pass, which a schema refuses',
    (value) => {
      expect(matchFilter('sqlite', true)(value)).toBe(true);
    },
  );
});
