/** Whether the fixers of a project run on files of builds. They are code of the project and have the rights of the user, so nobody is no. */
import { recall, remember } from '../project/memory.ts';
import type { CommandContext } from '../terminal/command.ts';
import { findFixers, type Fixer } from './fixers.ts';

export type StyleOption = 'project' | 'shipped' | undefined;

/**
 * Whether the fixers of the project run: as the option states, which is remembered as a yes; as the user answered before, for the same commands; otherwise as
 * the user answers. They are code of the project and have the rights of the user, so nobody is no.
 * @throws {ClientError} `ERR_INTERRUPTED`
 */
export async function decideStyle(
  project: string,
  option: StyleOption,
  { choose, terminal }: Pick<CommandContext, 'choose' | 'terminal'>,
): Promise<'project' | undefined> {
  if (option === 'shipped') return undefined;
  const commands = findFixers(project).map(({ command }) => command);
  if (option === 'project') {
    const what =
      commands.length === 0 ? 'the project has no fixer that is installed' : commands.join(', ');
    terminal.message(`Style of the project: ${what}`);
    await remember(project, { style: { answer: 'agreed', commands } }).catch(() => {});
    return 'project';
  }
  if (commands.length === 0) return undefined;
  const { style: known } = await recall(project);
  if (known?.answer === 'never') return undefined;
  if (isAgreed(known, commands)) return 'project';
  if (choose === undefined) return undefined;
  const answer = await choose((ask) =>
    ask.choice(
      [
        'To bring files of builds into the style of the project, these run on a copy of it, with your rights:',
        ...commands.map((one) => `  ${one}`),
      ],
      [
        { key: 'yes', label: ' (remembered for this project)' },
        { key: 'skip', label: ' this time' },
        { key: 'never', label: '' },
      ],
    ),
  );
  if (answer === 'yes' || answer === 'never') {
    const style = { answer: answer === 'yes' ? ('agreed' as const) : ('never' as const), commands };
    await remember(project, { style }).catch(() => {});
  }
  return answer === 'yes' ? 'project' : undefined;
}

/** The fixers to whose commands the user has agreed in this project; none without that. */
export async function agreedFixers(project: string): Promise<Fixer[]> {
  const { style } = await recall(project);
  if (style === undefined) return [];
  const fixers = findFixers(project);
  return isAgreed(
    style,
    fixers.map(({ command }) => command),
  )
    ? fixers
    : [];
}

function isAgreed(
  known: Awaited<ReturnType<typeof recall>>['style'],
  commands: readonly string[],
): boolean {
  return known?.answer === 'agreed' && commands.every((one) => known.commands.includes(one));
}
