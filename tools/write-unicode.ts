/**
 * Writes the tables of one version of Unicode that `format/unicode.ts` reads; `--check` only compares.
 *
 * They are taken from the Node.js that runs this file, which must have exactly that version: the one in
 * `package-lock.json` does. To move to a newer version of Unicode, change `UNICODE_VERSION`, and read
 * docs/decisions/0042-one-version-of-unicode.md first.
 */
import { runUpdate } from './generated-file.ts';

const UNICODE_VERSION = '17.0';

/** Properties that rules ask for, as a pattern with flag `u` names them. */
const CLASSES = `C Cc Cs L M Mc Mn N Nd Nl Pc Z Zl Zp White_Space Script=Cyrillic Script=Greek
  Extended_Pictographic Emoji_Modifier Cased Case_Ignorable`.split(/\s+/);
const LAST = 0x10ffff;
/** Hangul syllables are computed. */
const [FIRST_SYLLABLE, LAST_SYLLABLE] = [0xac00, 0xd7a3];

/** A character and what it becomes, as code points. */
type Mapping = readonly [number, readonly number[]];

function tablesFile(): string {
  const characters = all();
  const canonical = decompositions(characters, 'NFD', (text) => text);
  const compatible = decompositions(characters, 'NFKD', (text) => text.normalize('NFD'));
  const rows = {
    lower: runsOf(mappings(characters, (text) => text.toLowerCase())),
    upper: runsOf(mappings(characters, (text) => text.toUpperCase())),
    canonical: runsOf(canonical),
    compatible: runsOf(compatible),
    uncomposed: rangesOf(uncomposed(canonical)),
    marks: markRanges(characters),
  };
  const classes = CLASSES.map((name) => {
    const pattern = new RegExp(`\\p{${name}}`, 'u');
    const members = characters.filter((point) => pattern.test(String.fromCodePoint(point)));
    return `  ${/^\w+$/.test(name) ? name : `'${name}'`}:\n    '${rangesOf(members)}',\n`;
  });
  return `/** Tables of Unicode ${UNICODE_VERSION}. Made by tools/write-unicode.ts: do not edit. \`format/unicode.ts\` describes the forms. */

export const UNICODE_VERSION = '${UNICODE_VERSION}';

/** Ranges of each property. */
export const CLASSES = {
${classes.join('')}} as const;

${Object.entries(rows)
  .map(([name, row]) => `export const ${name.toUpperCase()} =\n  '${row}';\n`)
  .join('\n')}`;
}

/** Every code point; a surrogate alone is one as well. */
function all(): number[] {
  return Array.from({ length: LAST + 1 }, (_, point) => point);
}

function pointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}

function mappings(characters: readonly number[], change: (text: string) => string): Mapping[] {
  return characters.flatMap((point): Mapping[] => {
    const text = String.fromCodePoint(point);
    const changed = change(text);
    return changed === text ? [] : [[point, pointsOf(changed)]];
  });
}

/** Complete decompositions in `form` where they differ from those that `known` has. */
function decompositions(
  characters: readonly number[],
  form: 'NFD' | 'NFKD',
  known: (text: string) => string,
): Mapping[] {
  const others = characters.filter((point) => point < FIRST_SYLLABLE || point > LAST_SYLLABLE);
  return mappings(others, (text) => {
    const whole = text.normalize(form);
    return whole === known(text) ? text : whole;
  });
}

/** Those that have a decomposition of several characters and are never composed again. */
function uncomposed(canonical: readonly Mapping[]): number[] {
  return canonical
    .filter(([point, parts]) => {
      const text = String.fromCodePoint(point);
      return parts.length > 1 && text.normalize('NFC') !== text;
    })
    .map(([point]) => point);
}

/**
 * Ranges of combining characters, each followed by its place in the order of combining classes: 1 for the lowest.
 * Node.js does not tell the classes, and normalization needs their order alone, which it shows.
 */
function markRanges(characters: readonly number[]): string {
  const isBefore = (a: number, b: number): boolean => {
    const [first, second] = [String.fromCodePoint(a), String.fromCodePoint(b)];
    return (second + first).normalize('NFD') === first.normalize('NFD') + second.normalize('NFD');
  };
  // Of the lowest class and of the highest one: every other combining character changes places with one of them.
  const [lowest, highest] = [0x334, 0x345];
  const single = characters.filter((point) => {
    const text = String.fromCodePoint(point);
    return text.normalize('NFD') === text;
  });
  const marks = single.filter(
    (point) =>
      point === lowest ||
      point === highest ||
      (isBefore(lowest, point) && !isBefore(point, lowest)) ||
      (isBefore(point, highest) && !isBefore(highest, point)),
  );
  const groups: number[][] = [];
  for (const mark of marks) {
    const own = groups.find(([one]) => !isBefore(mark, one!) && !isBefore(one!, mark));
    if (own === undefined) groups.push([mark]);
    else own.push(mark);
  }
  groups.sort(([a], [b]) => (isBefore(a!, b!) ? -1 : 1));
  return groups.map((group) => rangesOf(group)).join(';');
}

/** `<gap> <length>` of each range, in base 36: the gap to the end of the last one, the length less one. */
function rangesOf(points: readonly number[]): string {
  const words: string[] = [];
  let end = 0;
  for (let at = 0; at < points.length;) {
    const start = points[at]!;
    let length = 1;
    while (points[at + length] === start + length) length += 1;
    words.push((start - end).toString(36), (length - 1).toString(36));
    end = start + length;
    at += length;
  }
  return words.join(' ');
}

/**
 * `<gap>[*<count>[/<step>]]:<parts>` of each run of characters, in base 36: the gap to the last start, how many
 * follow at the distance `step`, and what the first becomes; each following one becomes that of the last plus `step`.
 */
function runsOf(mappings: readonly Mapping[]): string {
  const words: string[] = [];
  let last = 0;
  for (let at = 0; at < mappings.length;) {
    const [start, parts] = mappings[at]!;
    const [count, step] =
      Math.max(runLength(mappings, at, 1), 1) >= runLength(mappings, at, 2)
        ? [runLength(mappings, at, 1), 1]
        : [runLength(mappings, at, 2), 2];
    const run = count === 1 ? '' : `*${count.toString(36)}${step === 1 ? '' : `/${step}`}`;
    const shown = parts.map((part) => part.toString(36)).join('.');
    words.push(`${(start - last).toString(36)}${run}:${shown}`);
    last = start;
    at += count;
  }
  return words.join(' ');
}

function runLength(mappings: readonly Mapping[], at: number, step: number): number {
  const [start, parts] = mappings[at]!;
  let count = 1;
  for (; parts.length === 1; count += 1) {
    const next = mappings[at + count];
    const isNext =
      next?.[0] === start + count * step &&
      next[1].length === 1 &&
      next[1][0] === parts[0]! + count * step;
    if (!isNext) break;
  }
  return count;
}

if (import.meta.main) {
  const { unicode } = process.versions;
  if (unicode === UNICODE_VERSION) {
    runUpdate(
      [{ path: 'format/unicode-tables.ts', text: tablesFile() }],
      'node tools/write-unicode.ts',
    );
  } else {
    console.error(
      `error: Cannot make tables of Unicode ${UNICODE_VERSION}: this Node.js has ${unicode}`,
    );
    console.error(
      'hint: run it with the Node.js of package-lock.json: npx node tools/write-unicode.ts',
    );
    process.exitCode = 1;
  }
}
