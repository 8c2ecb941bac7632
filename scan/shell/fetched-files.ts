/** The files into which a command of a shell writes what it fetches or decodes. */
import type { ShellCommand } from './parsed-shell.ts';
import type { Program } from './shell-program.ts';

const OUTPUT_OPTION = /^(?:-[a-zA-Z]*[oO]|--output|--output-document|-OutFile)$/i;
/** `curl -O`, `curl -sSLO`: the name is that of the address. */
const REMOTE_NAME = /^-[a-zA-Z]*O[a-zA-Z]*$|^--remote-name$/;

/**
 * Base names, without duplicates: of options, of redirections, and of the address where the program takes its name.
 *
 * @param url what the program fetches; `''` when it is not visible
 */
export function fetchedFiles(
  command: ShellCommand,
  { name, texts }: Program,
  url: string,
): string[] {
  const option = texts.findIndex((text) => OUTPUT_OPTION.test(text));
  const names = redirected(command, '>');
  if (option !== -1) names.push(texts[option + 1] ?? '');
  names.push(texts.find((text) => text.startsWith('of='))?.slice(3) ?? '');
  const last = url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  if (option === -1 && /^w?get/.test(name)) names.push(last);
  if (texts.some((text) => REMOTE_NAME.test(text))) names.push(last);
  const files = names.filter((one) => one !== '' && one !== '-' && !one.startsWith('/dev/'));
  return [...new Set(files.map(baseOf))].filter((one) => one !== '');
}

/** What a command reads instead of its input (`<`), or writes to (`>` and those that begin with it). */
export function redirected({ redirects }: ShellCommand, to: '<' | '>'): string[] {
  return redirects
    .filter(({ operator }) => operator === to || (to === '>' && operator.startsWith(to)))
    .map(({ target }) => target.text);
}

/** The last part of a path of any platform. */
export function baseOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
