/** The files of a build in the text of a plan: each with what happens to it; many new ones folded by folder. */
import { oneLine } from '../terminal/printable.ts';
import { foldPaths } from '../terminal/fold-paths.ts';
import type { Role, StyledText } from '../terminal/styled-text.ts';
import { span } from '../terminal/styled-text.ts';
import type { Plan, PlannedBuild, PlannedFile } from '../plan/plan.ts';

const MARKS: Readonly<Record<PlannedFile['action'], string>> = {
  create: '+',
  replace: '!',
  identical: '=',
  skip: '-',
  merge: '~',
  keep: '=',
  conflict: '?',
  delete: 'x',
  orphan: '-',
};
const NOTES: Readonly<Record<PlannedFile['action'], string>> = {
  create: '',
  replace: '  replaced',
  identical: '  already present',
  skip: '  your file is kept',
  merge: '  merged with your edits',
  keep: '  your version is kept',
  conflict: '  both sides are between markers',
  delete: '  removed',
  orphan: '  kept, because you edited it',
};

const ROLES: Readonly<Partial<Record<string, Role>>> = {
  '+': 'added',
  '~': 'changed',
  '!': 'changed',
  '?': 'bad',
  x: 'removed',
};

/** @param isVerbose whether to list each new file where they are many */
export function describeFiles(build: PlannedBuild, plan: Plan, isVerbose: boolean): StyledText[] {
  const files = plan.files.filter((file) => file.build === build.id);
  const isPlain = ({ action, imports, moved_from: from }: PlannedFile): boolean =>
    action === 'create' && from === undefined && (imports ?? []).length === 0;
  const plain = files.filter((file) => !isVerbose && isPlain(file)).map(({ path }) => path);
  // A fold stands at the place of the first file that it has.
  const folds = new Map(foldPaths(plain).map((fold) => [fold.first, fold]));
  const folded = new Set(plain);
  return files.flatMap((file): StyledText[] => {
    if (!folded.has(file.path)) return describeFile(file, build);
    const fold = folds.get(file.path);
    if (fold === undefined) return [];
    if (fold.count === 1) return [fileLine('+', fold.path)];
    return [[...fileLine('+', fold.path), '  ', span('number', fold.count), ' files']];
  });
}

function describeFile(file: PlannedFile, build: PlannedBuild): StyledText[] {
  // An update keeps most files: only changed files are listed.
  const isKept = file.action === 'keep' && file.reformatted === true;
  const moved = file.moved_from === undefined ? '' : `  moved from ${file.moved_from}`;
  if (build.action === 'update' && (file.action === 'identical' || isKept)) {
    return moved === '' ? [] : [[...fileLine('~', file.path), moved]];
  }
  const line = [...fileLine(MARKS[file.action], file.path), `${noteOf(file, build)}${moved}`];
  const isPlaced = !['skip', 'keep', 'delete', 'orphan'].includes(file.action);
  return isPlaced ? [line, ...describeImports(file)] : [line];
}

function fileLine(mark: string, path: string): Exclude<StyledText, string> {
  const role = ROLES[mark];
  return ['  ', role === undefined ? mark : span(role, mark), ' ', span('path', path)];
}

function noteOf({ action, reformatted }: PlannedFile, build: PlannedBuild): string {
  if (action === 'keep' && build.action === 'add') {
    return `  adopted: only its ${reformatted === true ? 'formatting differs' : 'line ends differ'}`;
  }
  const isReplaced = action === 'replace' && reformatted === true;
  return isReplaced ? '  replaced, because you only formatted it' : NOTES[action];
}

/** Each import that is rewritten once, with its lines: `      ../sqlite/index.js -> ../db/index.js  (line 4)`. */
function describeImports({ imports = [] }: PlannedFile): string[] {
  const groups = Map.groupBy(imports, ({ from, to }) => `${oneLine(from)} -> ${oneLine(to)}`);
  return Array.from(groups, ([change, group]) => {
    const numbers = group.map(({ line }) => line).join(', ');
    return `      ${change}  (${group.length === 1 ? 'line' : 'lines'} ${numbers})`;
  });
}
