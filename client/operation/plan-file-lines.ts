/** The files of a build in the text of a plan: each with what happens to it. */
import { fileLines } from '../terminal/file-lines.ts';
import type { FileLine } from '../terminal/file-lines.ts';
import { oneLine } from '../terminal/printable.ts';
import type { StyledText } from '../terminal/styled-text.ts';
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
  replace: 'replaced',
  identical: 'already present',
  skip: 'your file is kept',
  merge: 'merged with your edits',
  keep: 'your version is kept',
  conflict: 'both sides are between markers',
  delete: 'removed',
  orphan: 'kept, because you edited it',
};

/** @param isVerbose whether to list each file where many are treated alike */
export function describeFiles(build: PlannedBuild, plan: Plan, isVerbose: boolean): StyledText[] {
  const files = plan.files.filter((file) => file.build === build.id);
  return fileLines(
    files.flatMap((file) => describeFile(file, build)),
    isVerbose,
  );
}

function describeFile(file: PlannedFile, build: PlannedBuild): FileLine[] {
  const { path, action, moved_from: from } = file;
  // An update keeps most files: only changed files are listed.
  const isKept = action === 'keep' && file.reformatted === true;
  const moved = from === undefined ? [] : [`moved from ${from}`];
  if (build.action === 'update' && (action === 'identical' || isKept)) {
    return moved.map((note) => ({ mark: '~', path, note }));
  }
  const isPlaced = !['skip', 'keep', 'delete', 'orphan'].includes(action);
  const note = [noteOf(file, build), ...moved].filter((text) => text !== '').join('  ');
  return [{ mark: MARKS[action], path, note, below: isPlaced ? describeImports(file) : [] }];
}

function noteOf({ action, reformatted }: PlannedFile, build: PlannedBuild): string {
  if (action === 'keep' && build.action === 'add') {
    return `adopted: only its ${reformatted === true ? 'formatting differs' : 'line ends differ'}`;
  }
  const isReplaced = action === 'replace' && reformatted === true;
  return isReplaced ? 'replaced, because you only formatted it' : NOTES[action];
}

/** Each import that is rewritten once, with its lines: `      ../sqlite/index.js -> ../db/index.js  (line 4)`. */
function describeImports({ imports = [] }: PlannedFile): string[] {
  const groups = Map.groupBy(imports, ({ from, to }) => `${oneLine(from)} -> ${oneLine(to)}`);
  return Array.from(groups, ([change, group]) => {
    const numbers = group.map(({ line }) => line).join(', ');
    return `      ${change}  (${group.length === 1 ? 'line' : 'lines'} ${numbers})`;
  });
}
