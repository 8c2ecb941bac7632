/** Whether the fixers of a project run on files of builds. They are code of the project and have the rights of the user, so nobody is no. */
import type { Choices } from '../plan/plan.ts';
import type { Question } from '../plan/question.ts';
import { recall, remember } from '../project/memory.ts';
import { findFixers, type Fixer } from './fixers.ts';

/** The fixers that run: as the user chose, or answered before for the same commands; with the question that is open. */
export async function decideStyle(
  project: string,
  choice: Choices['style'],
): Promise<{ readonly fixers: readonly Fixer[]; readonly open?: Question }> {
  if (choice === 'shipped') return { fixers: [] };
  const fixers = findFixers(project);
  if (choice === 'project' || fixers.length === 0) return { fixers };
  const { style } = await recall(project);
  if (style?.answer === 'never') return { fixers: [] };
  const commands = fixers.map(({ command }) => command);
  if (isAgreed(style, commands)) return { fixers };
  return { fixers: [], open: { about: 'style', commands } };
}

/** Remembers the answer to the question about fixers; a user who skips it is asked again. */
export async function rememberStyle(project: string, answer: string): Promise<void> {
  if (answer !== 'yes' && answer !== 'never') return;
  const commands = findFixers(project).map(({ command }) => command);
  const style = { answer: answer === 'yes' ? ('agreed' as const) : ('never' as const), commands };
  await remember(project, { style }).catch(() => {});
}

/** Remembers that the user wants the style of the project. @returns what it runs, as a line */
export async function agreeToFixers(project: string): Promise<string> {
  await rememberStyle(project, 'yes');
  const commands = findFixers(project).map(({ command }) => command);
  const what =
    commands.length === 0 ? 'the project has no fixer that is installed' : commands.join(', ');
  return `Style of the project: ${what}`;
}

/** The fixers to whose commands the user has agreed in this project; none without that. */
export async function agreedFixers(project: string): Promise<readonly Fixer[]> {
  return (await decideStyle(project, undefined)).fixers;
}

function isAgreed(
  known: Awaited<ReturnType<typeof recall>>['style'],
  commands: readonly string[],
): boolean {
  return known?.answer === 'agreed' && commands.every((one) => known.commands.includes(one));
}
