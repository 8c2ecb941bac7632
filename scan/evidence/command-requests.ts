/**
 * What the commands in code request from the network: `os.system("curl URL")` contacts an address as `fetch(URL)`
 * does. Rules about addresses judge both.
 */
import { once } from '../text/once.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import { shellRequests } from '../shell/shell-requests.ts';
import type { Fact } from '../taint/fact.ts';
import { OUTPUT } from '../taint/label.ts';
import { NOTHING, deepContent, join, textValue, type Value } from '../taint/value.ts';
import { commandsOf, inlineCode } from './fact-evidence.ts';

/** A request of a command, as a fact at the place of the command, and the files that receive the answer. */
export interface CommandRequest {
  readonly fact: Fact;
  /** Base names. */
  readonly files: readonly string[];
}

/** The requests of all commands in the code of a build. */
export const commandRequests = once((build: ScannedBuild): readonly CommandRequest[] =>
  build.taint.facts.filter((fact) => fact.action === 'spawn').flatMap(requestsOf),
);

/** The facts of the code and of its commands that contact an address. */
export const contactsOf = once((build: ScannedBuild): readonly Fact[] => [
  ...build.taint.facts.filter(({ action }) => action === 'send' || action === 'resolve'),
  ...commandRequests(build).map(({ fact }) => fact),
]);

const fetchingPlaces = once(
  (build: ScannedBuild): ReadonlySet<string> =>
    new Set(
      commandRequests(build)
        .filter(({ fact, files }) => fact.action === 'send' && files.length === 0)
        .map(({ fact }) => placeOf(fact)),
    ),
);

/** Whether a value is the output of a command that prints what it fetches. */
export function isFetchedOutput(build: ScannedBuild, { labels, origins }: Value): boolean {
  if ((labels & OUTPUT) === 0) return false;
  return origins.some((o) => o.label === OUTPUT && fetchingPlaces(build).has(placeOf(o)));
}

function requestsOf(fact: Fact): CommandRequest[] {
  const inline = inlineCode(fact)?.texts ?? [];
  const commands = inline.length > 0 ? inline : commandsOf(fact);
  return commands.flatMap(shellRequests).map(({ program, url, isLookup, files }) => ({
    fact: {
      ...fact,
      action: isLookup ? ('resolve' as const) : ('send' as const),
      api: program,
      operand: textValue(url),
      content: wordsOf(fact),
      args: [],
    },
    files,
  }));
}

/** What the words of the command hold; not its options, such as the environment of the process. */
function wordsOf({ operand, args }: Fact): Value {
  const list = args[1]?.objects.some(({ fields }) => fields.has('0')) === true ? args[1] : NOTHING;
  return join(deepContent(operand), deepContent(list));
}

function placeOf({ path, at }: { readonly path: string; readonly at: number }): string {
  return `${at} ${path}`;
}
