import { format as formatText } from 'oxfmt';
import type { FormatConfig } from 'oxfmt';
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
    const fresh = wire(one, wired.files);
    expect(fresh.files).toEqual(wired.files);
    expect(unwire(one, fresh.files, fresh)).toEqual(wired.files);
  });
});

/** Two styles that no fixture has as a whole. */
const STYLES: readonly FormatConfig[] = [
  { useTabs: true, semi: false, singleQuote: false, trailingComma: 'none', printWidth: 60 },
  { tabWidth: 4, semi: true, singleQuote: true, arrowParens: 'avoid', printWidth: 120 },
];

describe.each(STYLES)('formatted between wiring and taking out: %j', (style) => {
  const cases = WIRING_CASES.filter(({ name }) => !name.endsWith('-syntax-error'));

  it.each(cases)('$name', async (one) => {
    const wired = wire(one, one.files);
    const formatted = await format(wired.files, style);
    const rest = unwire(one, formatted, wired);
    expect(await format(rest, style)).toEqual(await format(one.files, style));
    // A formatter may make room for a step that was left to the user.
    if (wired.entries.some(({ action }) => action === 'by_hand')) return;
    expect(wire(one, formatted, wired).files).toEqual(formatted);
  });
});

/** With the JavaScript and TypeScript among `files` formatted. */
async function format(
  files: ReadonlyMap<string, string>,
  style: FormatConfig,
): Promise<Map<string, string>> {
  const all = new Map(files);
  for (const [path, text] of files) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue;
    const { code, errors } = await formatText(path, text, style);
    expect(errors).toEqual([]);
    all.set(path, code);
  }
  return all;
}
