/**
 * Shell text that runs what it fetches or decodes, that connects a shell to an address, or that sends secrets.
 * The level depends on who runs the text: a package manager automatically, a person, or only a reader by hand.
 */
import { wordsOf } from '../../parse/word-list.ts';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { FindingCode } from '../../../format/finding/catalogue.ts';
import { findingIn, type Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import { hostOf, ownerOf, placeOf, suspicionOf } from '../../taint/address.ts';
import { isDistributor, isOpen, isShared } from '../../taint/known-hosts.ts';
import { writtenSecrets } from '../../evidence/commands.ts';
import { isOwnPlace } from '../../evidence/trusted-place.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { isCiPath, isIdleFile, isLifecycleScript } from '../../text/idle-file.ts';
import { shellPlaces } from '../../shell/sources.ts';
import { findShellDangers, MAX_SHELL_LENGTH } from '../../shell/find-dangers.ts';
import { isKnownInstaller, type Danger } from '../../shell/shell-danger.ts';
import { quote, quoteLine } from '../../text/quote.ts';

type ShellPlace = ReturnType<typeof shellPlaces>[number];

const CODES = {
  'fetch-run': 'shell-fetch-run',
  'decode-run': 'shell-fetch-decode',
  connect: 'shell-fetch-connect',
  send: 'shell-fetch-send',
  destroy: 'shell-fetch-destroy',
  inline: 'shell-fetch-inline',
  fetch: 'shell-fetch-run',
  install: 'shell-fetch-run',
} as const satisfies Record<Danger['kind'], FindingCode>;

type Levels = Readonly<Record<ShellPlace['runner'], FindingLevel>>;

function levels(
  autorun: FindingLevel,
  script: FindingLevel,
  container: FindingLevel,
  agent: FindingLevel,
  reader: FindingLevel,
): Levels {
  return { autorun, script, container, agent, reader };
}

const LEVELS: Readonly<Record<Danger['kind'], Levels>> = {
  'fetch-run': levels('error', 'warn', 'warn', 'warn', 'warn'),
  'decode-run': levels('error', 'error', 'error', 'error', 'warn'),
  connect: levels('error', 'error', 'error', 'error', 'info'),
  send: levels('error', 'error', 'error', 'error', 'warn'),
  destroy: levels('error', 'warn', 'info', 'warn', 'info'),
  inline: levels('warn', 'info', 'info', 'info', 'info'),
  fetch: levels('warn', 'info', 'info', 'info', 'info'),
  install: levels('error', 'warn', 'info', 'info', 'info'),
};
/** The level of an installer that its project documents in this form, and of one from the build's own repository. */
const KNOWN_LEVELS = levels('warn', 'info', 'info', 'warn', 'info');

/** The limit of findings of one code in one file. */
const MAX_PER_FILE = 5;

export const shellFetch: Rule = { name: 'shell-fetch', run: shellFindings };

function shellFindings(build: ScannedBuild): Finding[] {
  const counts = new Map<string, number>();
  return shellPlaces(build).flatMap((place) => {
    const { path } = place.file;
    const isReported = ({ kind }: Danger): boolean => {
      const count = (counts.get(`${CODES[kind]} ${path}`) ?? 0) + 1;
      counts.set(`${CODES[kind]} ${path}`, count);
      return count <= MAX_PER_FILE;
    };
    const secrets = new Map([...writtenSecrets(build), ...(place.secrets ?? [])]);
    const dangers = findShellDangers(place.text, secrets, place.secrets !== undefined).filter(
      isReported,
    );
    const found = dangers.map((danger) => toFinding(build, place, danger));
    return place.text.length > MAX_SHELL_LENGTH
      ? [...found, finding('shell-fetch-unread', path, { limit: MAX_SHELL_LENGTH })]
      : found;
  });
}

function toFinding(build: ScannedBuild, place: ShellPlace, danger: Danger): Finding {
  const { file, text, start, isVerbatim } = place;
  const length = Math.min(Math.max(1, danger.end - danger.start), 200);
  // Expressions of a workflow are words in `text`.
  const shown = text.includes('{{_') ? (file.text ?? text) : text;
  const line = isVerbatim ? quoteLine(shown, danger.start) : quote(text);
  const args = { line, url: danger.url === '' ? 'an address' : quote(danger.url) };
  const [from, count] = isVerbatim ? [start + danger.start, length] : [start, text.length];
  return findingIn(file, CODES[danger.kind], args, from, count, levelOf(build, place, danger));
}

/** Whether the address is that of a file of the build, in a repository. */
function isOwnFile({ files }: ScannedBuild, url: string): boolean {
  const path =
    /^raw\.githubusercontent\.com\/(?:[\w.-]+\/){2}(?:refs\/heads\/)?[\w.-]+\/([\w./-]+)$/.exec(
      placeOf(url),
    )?.[1];
  return path !== undefined && files.some((one) => one.path === path);
}

/** A version in the address, or a variable for one. */
const PINNED = /\d\.\d|\$\{?\w*(?:version|tag|release)|%\w*version/i;

/**
 * Whether an address is of the vendor of the program that the text is about: its name is that of the host, or of the owner
 * of a release with a fixed version.
 */
function isOfVendor(url: string, { path, text = '' }: ShellPlace['file']): boolean {
  const [host = '', owner = '', name = ''] = placeOf(url).split('/');
  const isRelease = /\/releases\/(?:latest\/)?download\//.test(url);
  if (isShared(host) && !(isRelease && PINNED.test(url))) return false;
  const words = isShared(host) ? [owner, name] : [ownerOf(host)];
  const about = `${path} ${text.slice(0, 200_000).replaceAll(ADDRESS, '')}`.toLowerCase();
  return words.some(
    (word) => word.length > 2 && !COMMON.has(word) && about.includes(word.toLowerCase()),
  );
}

const ADDRESS = /\bhttps?:\/\/\S+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\/\S*/g;
const COMMON: ReadonlySet<string> = new Set(wordsOf(['www get raw install dev cdn app com']));

/** Whether a recipe of a container names the script. */
function isOfContainer({ files }: ScannedBuild, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    /\.(?:ba)?sh$/.test(name) &&
    files.some((one) => /(?:^|\/)dockerfile/i.test(one.path) && one.text?.includes(name) === true)
  );
}

/** `curl ... | sh` in a text about commands: it has no address. */
const ELIDED = /^[\w.]+(?:\s+-[\w-]+)*\s+(?:https?:\/\/)?(?:\.{3}|\u2026)\s*\|/;

function levelOf(
  build: ScannedBuild,
  { runner, file, script, text }: ShellPlace,
  { kind, url, isSecret, start, end }: Danger,
): FindingLevel {
  const isReadOnly = runner === 'reader' || runner === 'agent';
  if (kind === 'fetch-run' && isReadOnly && ELIDED.test(text.slice(start, end))) return 'info';
  const isPlain = url.startsWith('https:') && suspicionOf(url) === undefined;
  if (
    (kind === 'fetch-run' || (kind === 'install' && runner !== 'autorun')) &&
    (isKnownInstaller(url) ||
      (isPlain && isOfVendor(url, file)) ||
      (isPlain && runner !== 'autorun' && (isOwnPlace(build, url) || isOwnFile(build, url))))
  )
    return isKnownInstaller(url) && runner === 'agent' ? 'info' : KNOWN_LEVELS[runner];
  // Containers and CI machines exist for one run, and users do not follow other guides of the build first.
  const isAside =
    runner === 'container' ||
    isCiPath(file.path) ||
    isOfContainer(build, file.path) ||
    (runner === 'reader' && file.path.includes('/'));
  if ((kind === 'fetch-run' || kind === 'install') && isAside && isPlain) return 'info';
  // A request for a package has the names of user and machine in its address.
  const isRequest = isPlain && isDistributor(hostOf(url) ?? '') && !isOpen(hostOf(url) ?? '');
  if (kind === 'send' && !isSecret && runner !== 'autorun' && isRequest) return 'info';
  // Build scripts also put the names of user and machine into addresses.
  if (kind === 'send' && !isSecret && runner !== 'autorun')
    return runner === 'reader' ? 'info' : 'warn';
  if (isTestPath(file.path) && runner !== 'autorun') {
    const isRun = kind === 'fetch-run' || kind === 'decode-run';
    return kind === 'fetch-run' || (isRun && isIdleFile(build, file.path))
      ? 'info'
      : LEVELS[kind].reader;
  }
  const level = LEVELS[kind][runner];
  return level === 'warn' && isLifecycleScript(script) && kind === 'fetch-run' ? 'error' : level;
}
