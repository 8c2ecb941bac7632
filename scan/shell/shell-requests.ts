/** The network requests of shell text: which program contacts which address, and where it puts the answer. */
import { isNetworkClient } from './command-effects.ts';
import { fetchedFiles } from './fetched-file.ts';
import { parseShell } from './parse-shell.ts';
import { addressIn } from './shell-danger.ts';
import { isFetcher, programOf, shellText } from './shell-program.ts';
import type { Script, ShellCommand } from './shell-script.ts';

/** One request of a command. */
export interface ShellRequest {
  /** The name of the program: `curl`, `nslookup`. */
  readonly program: string;
  readonly url: string;
  /** Only looks up the name, or checks that the host answers. */
  readonly isLookup: boolean;
  /** Base names of the files that receive the answer; none when it is printed. */
  readonly files: readonly string[];
}

const MAX_TEXT = 20_000;
const MAX_DEPTH = 6;
const MAX_REQUESTS = 50;
const LOOKUP = /^(?:nslookup|dig|host|ping6?|drill|resolvectl)$/;
/** Methods of .NET that no command line shows as a program. */
const DOTNET = /\b(?:download(?:string|file|data)|net\.webclient|start-bitstransfer)\b/i;
const DOTNET_ADDRESS =
  /["'(](https?:\/\/[^\s"')]{1,300})["')](?:\s{0,5},\s{0,5}["']([^"']{1,200})["'])?/gi;

/** The requests with a visible address, in the order of the text. */
export function shellRequests(text: string): ShellRequest[] {
  // No address, no request; most commands have none.
  if (!/[a-z\d]\.[a-z\d]|\/\//i.test(text)) return [];
  const cut = text.slice(0, MAX_TEXT);
  const found = inScript(parseShell(cut), 0);
  if (DOTNET.test(cut)) {
    for (const [, url = '', path = ''] of cut.matchAll(DOTNET_ADDRESS)) {
      const files = path === '' ? [] : [path.slice(path.search(/[^/\\]*$/))];
      found.push({ program: 'powershell', url, isLookup: false, files });
    }
  }
  return found.slice(0, MAX_REQUESTS);
}

function inScript(script: Script, depth: number): ShellRequest[] {
  if (depth > MAX_DEPTH) return [];
  return script.flat().flatMap((command) => inCommand(command, depth));
}

function inCommand(command: ShellCommand, depth: number): ShellRequest[] {
  const scripts = [command.body ?? [], ...command.words.flatMap((word) => word.scripts)];
  const program = programOf(command);
  const nested = program === undefined ? undefined : shellText(program);
  if (nested !== undefined) scripts.push(parseShell(nested.text));
  const found = scripts.flatMap((script) => inScript(script, depth + 1));
  if (program === undefined || !isNetworkClient(program.name)) return found;
  const url = addressIn(program.args.map((word) => word.text));
  if (url === '') return found;
  const isLookup = LOOKUP.test(program.name);
  const files = isFetcher(program.name) ? fetchedFiles(command, program, url) : [];
  return [{ program: program.name, url, isLookup, files }, ...found];
}
