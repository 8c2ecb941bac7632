/** Commands in texts for people, in the form in which the user starts this client. */

/** Changes the commands in a text. */
export type NameCommands = (text: string) => string;

/**
 * Writes `start` instead of `stackyard` where a text has a command of this client.
 * @param start what the user types before the name of a command
 * @param names of the commands
 */
export function nameCommands(start: string, names: readonly string[]): NameCommands {
  if (start === 'stackyard') return (text) => text;
  const words = [...names, '--help', '--version', 'help', '<command>'].join('|');
  // Ids such as stackyard/account, and sentences about the program, stay.
  const command = new RegExp(`(?<![\\w/@:.-])stackyard (?=(?:${words})(?![\\w/-]))`, 'g');
  return (text) => text.replace(command, () => `${start} `);
}
