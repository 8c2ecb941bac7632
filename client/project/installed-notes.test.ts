import { describe, expect, it } from 'vitest';
import type { Head } from '../../format/index/record.ts';
import { pinNotes, yankedNotes } from './installed-notes.ts';
import { OPEN } from '../../format/registry/status.ts';

type Versions = Readonly<Record<string, string | false>>;

/** @param versions to false, or the reason of the yank */
function head(id: string, versions: Versions): [string, Head] {
  const listed = Object.entries(versions).map(([version, yanked]) => {
    const status = yanked === false ? OPEN : { is: 'yanked', reason: yanked };
    return { version, status, published_at: '2026-01-01T00:00:00.000Z' };
  });
  return [id, { id, versions: listed } as unknown as Head];
}

function lock(builds: Readonly<Record<string, object>>): Parameters<typeof pinNotes>[0] {
  const entries = Object.entries(builds).map(([id, build]) => [
    id,
    { version: '1.0.0', builds: {}, ...build },
  ]);
  return { builds: Object.fromEntries(entries) } as Parameters<typeof pinNotes>[0];
}

describe('yankedNotes()', () => {
  it('names installed versions that were yanked, with the reason', () => {
    const heads = new Map([
      head('b/x', { '1.0.0': 'leaks', '1.1.0': false }),
      head('a/y', { '1.0.0': false, '0.9.0': 'old' }),
    ]);
    expect(yankedNotes(lock({ 'b/x': {}, 'a/y': {}, 'c/gone': {} }), heads)).toEqual([
      {
        code: 'installed-yanked',
        message: '"b/x" 1.0.0, which is installed, was yanked: leaks',
        path: '',
      },
    ]);
  });
});

describe('pinNotes()', () => {
  const heads = new Map([
    head('b/x', { '1.0.0': false, '1.2.0': false, '2.0.0-rc.1': false, '1.3.0': 'bad' }),
  ]);
  const messages = (builds: Readonly<Record<string, object>>): string[] => {
    return pinNotes(lock(builds), heads).map(({ message }) => message);
  };

  it.each(['1.0.0', '=1.0.0', '= 1.0.0'])('names a request for exactly "%s"', (requested) => {
    expect(messages({ 'b/x': { requested } })).toEqual([
      '"b/x" stays at 1.0.0, and 1.2.0 is available: the lock asks for exactly that: "stackyard update b/x@^1.2.0" releases it',
    ]);
  });

  it('names the builds that require exactly that version', () => {
    const builds = {
      'b/x': {},
      'a/web': { builds: { 'b/x': '1.0.0' } },
      'a/api': { builds: { 'b/x': '=1.0.0' } },
    };
    expect(messages(builds)).toEqual([
      '"b/x" stays at 1.0.0, and 1.2.0 is available: "a/api" requires exactly that; "a/web" requires exactly that',
    ]);
  });

  it.each([
    ['a range', { 'b/x': { requested: '~1.0.0' } }],
    ['the newest version', { 'b/x': { version: '1.2.0', requested: '1.2.0' } }],
    ['a build that the registry does not have', { 'c/gone': { requested: '1.0.0' } }],
  ])('is silent about %s', (_what, builds) => {
    expect(messages(builds)).toEqual([]);
  });
});
