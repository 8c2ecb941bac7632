/** A list of files, each with what happens to it; where many are treated alike, folded by folder. */
import { foldPaths } from './fold-paths.ts';
import type { Role, StyledText } from './styled-text.ts';
import { span } from './styled-text.ts';

export interface FileLine {
  /** `+` new, `~` and `!` changed, `x` removed, `?` with conflicts, `=` and `-` kept. */
  readonly mark: string;
  readonly path: string;
  /** What happens to it, where the mark does not say all. */
  readonly note?: string;
  /** Lines about this file alone, which stand below it: such a file is never folded. */
  readonly below?: readonly StyledText[];
}

const ROLES: Readonly<Partial<Record<string, Role>>> = {
  '+': 'added',
  '~': 'changed',
  '!': 'changed',
  '?': 'bad',
  x: 'removed',
};
const FOLDABLE = new Set(['+', '~', '!', 'x']);

/**
 * One line for each file, or for a folder of files with the same mark and note, at the place of the first.
 * @param isVerbose whether to list each file
 */
export function fileLines(files: readonly FileLine[], isVerbose: boolean): StyledText[] {
  const plain = files.filter(({ mark, below = [] }) => FOLDABLE.has(mark) && below.length === 0);
  const alike = Map.groupBy(isVerbose ? [] : plain, ({ mark, note = '' }) => `${mark}${note}`);
  const counts = new Map<FileLine, { path: string; count: number }>();
  const hidden = new Set<FileLine>();
  for (const group of alike.values()) {
    const folds = new Map(foldPaths(group.map(({ path }) => path)).map((f) => [f.first, f]));
    for (const file of group) {
      const fold = folds.get(file.path);
      if (fold === undefined) hidden.add(file);
      else if (fold.count > 1) counts.set(file, fold);
    }
  }
  return files.flatMap((file): StyledText[] => {
    if (hidden.has(file)) return [];
    const { mark, path, note = '', below = [] } = file;
    const fold = counts.get(file);
    if (fold === undefined) return [lineOf(mark, path, note === '' ? [] : [`  ${note}`]), ...below];
    const rest = note === '' ? '' : ` ${note}`;
    return [lineOf(mark, fold.path, ['  ', span('number', fold.count), ` files${rest}`])];
  });
}

function lineOf(mark: string, path: string, rest: Exclude<StyledText, string>): StyledText {
  const role = ROLES[mark];
  return ['  ', role === undefined ? mark : span(role, mark), ' ', span('path', path), ...rest];
}
