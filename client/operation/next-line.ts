/** The line about a command that the user may run next. */
import type { NextStep } from '../output-schema/envelope.ts';
import type { StyledText } from '../terminal/styled-text.ts';
import { span } from '../terminal/styled-text.ts';

/** `Next: <command>  (<why>)` */
export function nextLine({ command, why }: Pick<NextStep, 'command' | 'why'>): StyledText {
  return ['Next: ', span('command', command), `  (${why})`];
}
