import { describe, expect, it } from 'vitest';
import { takeOutEntries } from '../client/wire/take-out-entries.ts';
import type { WiredBuild } from '../client/wire/wire-build.ts';
import { wireBuild } from '../client/wire/wire-build.ts';
import type { WiringCase } from './wiring-case.ts';
import { WIRING_CASES, buildOf } from './wiring-case.ts';

interface Wired extends WiredBuild {
  readonly files: Map<string, string>;
}

function wire(
  { guide }: WiringCase,
  files: ReadonlyMap<string, string>,
  previous?: WiredBuild,
): Wired {
  const { build, texts } = buildOf(guide, files);
  const result = wireBuild(
    { ...build, previous: previous?.locked ?? [], isRepeated: previous !== undefined },
    texts,
  );
  return { ...pick(result), files: withChanges(files, texts.changes()) };
}

function pick({ entries, locked, conflicts }: WiredBuild): WiredBuild {
  return { entries, locked, conflicts };
}

function unwire(
  { guide }: WiringCase,
  files: ReadonlyMap<string, string>,
  wired: WiredBuild,
): Map<string, string> {
  const { texts } = buildOf(guide, files);
  takeOutEntries('alice/account', wired.locked, texts);
  return withChanges(files, texts.changes());
}

function withChanges(
  files: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, string | undefined>,
): Map<string, string> {
  const all = new Map(files);
  for (const [path, text] of changes) {
    if (text === undefined) all.delete(path);
    else all.set(path, text);
  }
  return all;
}

describe.each(WIRING_CASES)('$name', (one) => {
  const wired = wire(one, one.files);

  it('is placed right, or the reason is named', () => {
    const found = wired.entries.map(
      ({ action, step, file, why }) =>
        `${action} ${step} ${file}${why === undefined ? '' : `: ${why}`}`,
    );
    expect(found).toEqual(one.expected);
    const changed = [...wired.files].filter(([path, text]) => one.files.get(path) !== text);
    expect(Object.fromEntries(changed)).toEqual(Object.fromEntries(one.wired));
  });

  it('has the same bytes after it is taken out', () => {
    expect(unwire(one, wired.files, wired)).toEqual(one.files);
  });

  it('does not change when it is wired again', () => {
    const again = wire(one, wired.files, wired);
    expect(again.files).toEqual(wired.files);
    expect(again.locked).toEqual(wired.locked);
    const anew = wire(one, wired.files);
    expect(anew.files).toEqual(wired.files);
    expect(unwire(one, anew.files, anew)).toEqual(wired.files);
  });
});
