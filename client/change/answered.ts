/** The answers of the user as choices of a change. */
import { parsePlacement } from '../plan/place/placement-folder.ts';
import type { Change, Choices, OnExists } from '../plan/plan.ts';
import { type Answer, otherFolder } from '../plan/question.ts';
import { rememberStyle } from '../style/decide-style.ts';

/** `change` as it was asked, with the answers; that about fixers is remembered. @throws {ClientError} those of a folder */
export async function answered(
  project: string,
  change: Change,
  answers: readonly Answer[],
): Promise<Change> {
  for (const { question, text } of answers) {
    if (question.about === 'style') await rememberStyle(project, text);
  }
  const choices = answers.reduce((chosen, answer): Choices => {
    const { question, text } = answer;
    const folder = otherFolder(answer);
    switch (question.about) {
      case 'style':
        return { ...chosen, style: text === 'yes' ? 'project' : 'shipped' };
      case 'steps':
      case 'gains':
        return { ...chosen, wire: text === 'wire' };
      case 'file': {
        const { build, path } = question.file;
        const at = { ...chosen.on_exists_at };
        if (folder === undefined)
          return { ...chosen, on_exists_at: { ...at, [path]: DECIDED[text]! } };
        // What was decided is about the place that the build leaves.
        for (const file of question.error.files) {
          if (file.build === build) delete at[file.path];
        }
        const to = { ...chosen.to, ...parsePlacement([{ id: build }], folder) };
        return { ...chosen, on_exists_at: at, to };
      }
      default:
        return chosen;
    }
  }, change.choices);
  return { ...change, choices };
}

const DECIDED: Readonly<Record<string, OnExists>> = {
  keep: 'skip',
  replace: 'theirs',
  merge: 'merge',
};
