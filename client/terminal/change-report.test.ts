/** The advice after a change: what is left to do, each step once. */
import { describe, expect, test } from 'vitest';
import { NO_CHOICES } from '../plan/make-plan.ts';
import type { Plan, PlannedBuild } from '../plan/plan.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';
import { changedReport } from './change-report.ts';
import { plainText } from './styled-text.ts';

type Kind = Plan['command'];

/** @param requirers the builds that require it; `*` behind the id: it has setup steps */
function build(text: string, action: PlannedBuild['action'], ...requirers: string[]): PlannedBuild {
  const [id = '', star] = text.split(/(?=\*)/);
  const steps = star === undefined ? {} : { has_integration: true as const };
  const fixed = { version: '1.0.0', kind: 'module', integrity: '' } as const;
  return { ...fixed, id, required_by: requirers, action, ...steps };
}

function reportOf(
  command: Kind,
  builds: PlannedBuild[],
  asked: string[],
  more: Partial<Plan> = {},
) {
  const requested = Object.fromEntries(asked.map((id) => [id, '^1.0.0']));
  const choices = { ...NO_CHOICES, requested, style: undefined, wire: undefined };
  const none = { files: [], edits: [], npm: [], pip: [], scripts: [], env: [], warnings: [] };
  const plan: Plan = { command, registry: 'https://x.test', builds, choices, ...none, ...more };
  const { next = [], text } = changedReport('/x', plan, { next: [] }, false);
  return { next, lines: text.map(plainText) };
}

const entry = (of: string, step: number, action: WiringEntry['action'], text = 'a()') => {
  const why = action === 'by_hand' ? { why: 'no such file' } : {};
  return { build: of, step, file: 'src/app.ts', text, action, ...why };
};

describe('changedReport() names the guides of what was asked for', () => {
  const guide = (id: string, why = 'setup steps') => `stackyard info ${id} --integration (${why})`;
  test.each<[string, ReturnType<typeof reportOf>, string[]]>([
    ['no guide', reportOf('add', [build('a/web', 'add')], ['a/web']), []],
    [
      'a required build',
      reportOf('add', [build('a/web*', 'add'), build('b/db*', 'add', 'a/web')], ['a/web']),
      [guide('a/web', 'setup steps; b/db has its own')],
    ],
    [
      'a required build that was asked for as well',
      reportOf('add', [build('a/web*', 'add'), build('b/db*', 'add', 'a/web')], ['a/web', 'b/db']),
      [guide('b/db'), guide('a/web')],
    ],
    [
      'many, as of a new project',
      reportOf(
        'new',
        ['a/a*', 'a/b*', 'a/c*', 'a/d*'].map((id) => build(id, 'add')),
        [],
      ),
      [guide('a/a', 'setup steps; the other 3 builds have their own')],
    ],
    [
      'an update whose steps changed',
      reportOf('update', [build('a/web*', 'update'), build('b/db', 'update', 'a/web')], []),
      [guide('a/web', 'its setup steps changed')],
    ],
    ['a removal', reportOf('remove', [build('a/web', 'remove')], []), []],
    [
      'the same command of both parts of a new project',
      reportOf('new', [build('a/web', 'add')], [], {
        by_hand: ['a', 'b'].map((why) => ({ command: 'pipenv install "x"', why })),
      }),
      ['pipenv install "x" (b)'],
    ],
  ])('%s', (_, { next, lines }, expected) => {
    expect(next.map(({ command, why }) => `${command} (${why})`)).toEqual(expected);
    // A terminal gets the same.
    const shown = lines.filter((line) => line.startsWith('Next: '));
    expect(shown).toEqual(next.map(({ command, why }) => `Next: ${command}  (${why})`));
  });
});

describe('changedReport() lists each step once', () => {
  const [web, both] = [[build('a/web', 'add')], ['a/web', 'b/db'].map((id) => build(id, 'add'))];
  test.each<[string, Kind, PlannedBuild[], WiringEntry[], string[]]>([
    [
      'one with two blocks in a file',
      'wire',
      web,
      [entry('a/web', 1, 'added', 'import a'), entry('a/web', 1, 'added')],
      ['  + src/app.ts: step 1', '      import a', '      a()'],
    ],
    [
      'partly carried out, of two builds',
      'add',
      both,
      [entry('b/db', 1, 'kept'), entry('b/db', 2, 'by_hand'), entry('a/web', 1, 'by_hand')],
      [
        '  = src/app.ts: step 1 of b/db  is there already',
        'By hand:',
        '  step 2 of b/db, src/app.ts: no such file',
        '      a()',
        '  step 1 of a/web, src/app.ts: no such file',
        '      a()',
      ],
    ],
    [
      'taken out',
      'unwire',
      [],
      [entry('a/web', 1, 'removed'), entry('a/web', 2, 'left')],
      ['  x src/app.ts: step 1  removed', '  ! src/app.ts: step 2  stays'],
    ],
  ])('%s', (_, command, builds, wiring, expected) => {
    const { lines, next } = reportOf(command, builds, ['a/web'], { wiring });
    expect(lines.filter((line) => !/^\S+ 1\.0\.0/.test(line))).toEqual(expected);
    expect(next).toEqual([]);
  });
});
