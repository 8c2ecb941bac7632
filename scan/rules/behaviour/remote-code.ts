/** Runs code from the network: fetches and evaluates it, pipes it to a shell, or downloads and starts it. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import { once } from '../../once.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { DECODED, FETCHED, SPELLED } from '../../taint/label.ts';
import { UNKNOWN, type Value } from '../../taint/value.ts';
import {
  addressesOf,
  hostsOf,
  inlineCode,
  programOf,
  suspicionsOf,
} from '../../evidence/fact-evidence.ts';
import { LOADERS, PICKLES, fileAt, found, quote } from '../../evidence/fact-finding.ts';
import { hostsIn, isAddressLike, isLocal } from '../../taint/address.ts';
import { isDistributor } from '../../taint/known-hosts.ts';
import { isOwnHost, isTrustedPlace } from '../../evidence/trusted-place.ts';
import { filesAtInstall, commandFindings } from '../../evidence/commands.ts';
import { isFetchedOutput } from '../../evidence/command-requests.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { isIdleFile } from '../../text/idle-file.ts';
import { startOf, lockedStartOf, arrivedFiles } from '../../evidence/arrived-files.ts';

export const remoteCode: Rule = {
  name: 'remote-code',
  run: (build) => {
    const { facts } = build.taint;
    return [
      ...facts.flatMap((fact) => evaluated(build, fact)).map((one) => inTest(build, one)),
      ...downloads(build),
      ...strangers(build),
      ...commandFindings(build, 'remote-code'),
    ];
  },
};

/** A test that nothing names talks to programs that it starts itself. */
function inTest(build: ScannedBuild, one: Finding): Finding {
  return isTestPath(one.file) && isIdleFile(build, one.file) ? { ...one, level: 'info' } : one;
}

function evaluated(build: ScannedBuild, fact: Fact): Finding[] {
  const { action, operand, content } = fact;
  const report = (how: string, level?: FindingLevel): Finding[] => [
    found(build, 'remote-code', fact, { how }, level),
  ];
  if ((action === 'execute' || action === 'spawn') && !fact.isLarge) {
    const code = action === 'spawn' ? (inlineCode(fact) ?? programOf(fact)) : operand;
    const isWhole = action === 'execute' || code.texts.every((t) => /^\0?$/.test(t));
    if (isWhole && isFetchedOutput(build, code)) return report(fact.api);
  }
  const isTimer = fact.api.startsWith('set') && operand.texts.length === 0;
  if (action === 'execute' && (operand.labels & FETCHED) !== 0 && !isTimer) {
    const isOwn = isFromOwnAddress(build, operand);
    if (LOADERS.test(fact.api)) {
      // Programs exchange pickles over sockets, which is usual; a pickle from a web page is not.
      const isFromWeb = operand.origins.some((o) => /^(?:requests|urllib|httpx)/.test(o.what));
      if (!isFromWeb || !isOwn || fact.isLarge) return [];
    }
    if (fact.isLarge && !isNear(fact, FETCHED)) return [];
    return report(
      fact.api,
      isOwn && !fact.isLarge && !PICKLES.test(fact.api) && !isByHand(build, fact, operand)
        ? 'error'
        : 'warn',
    );
  }
  if (
    action === 'load' &&
    operand.texts.some((t) => isAddressLike(t) && hostsIn(t).length > 0) &&
    fact.api === 'import'
  )
    return report('import of an address', 'warn');
  const program = programOf(fact);
  const isCommand =
    action === 'spawn' && (program.labels & FETCHED) !== 0 && beginsUnknown(program);
  if (isCommand && !fact.isLarge && fact.api !== 'child_process.fork') return report(fact.api);
  const inline = action === 'spawn' ? inlineCode(fact) : undefined;
  if (inline !== undefined && (inline.labels & FETCHED) !== 0 && !fact.isLarge) {
    const isCode = beginsUnknown(inline) && isFromOwnAddress(build, inline);
    return report(fact.api, isCode ? 'error' : 'warn');
  }
  const isFed =
    !fact.isLarge &&
    action === 'feed' &&
    (content.labels & FETCHED) !== 0 &&
    !fact.api.startsWith('os.');
  const isShell = isFed ? operand.texts.filter(Boolean).map((t) => SHELL.test(t)) : [];
  // A library that starts any program may start a shell.
  return isShell.includes(true)
    ? report('the input of a shell', isShell.includes(false) ? 'warn' : 'error')
    : [];
}

const SHELL = /(?:^|\/)(?:(?:ba|z)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|node|python3?)$/;

/** Of a text that begins with known words, the unknown part is an argument. */
function beginsUnknown({ texts }: Value): boolean {
  return texts.every((t) => t === '' || t.startsWith(UNKNOWN));
}

/** What of strangers a workflow runs, and all that must be in it beside that. */
const FOR_STRANGERS: readonly (readonly [how: string, shown: RegExp, ...beside: RegExp[]])[] = [
  [
    'a workflow with secrets',
    /\bref:\s{0,5}["']?(?:\$\{\{\s{0,5}github\.(?:event\.pull_request\.head|head_ref)|refs\/pull\/)/,
    /^\s{0,20}(?:-\s|on:\s{0,5})?pull_request_target\b|\[[^\]\n]{0,200}pull_request_target/m,
    /\$\{\{\s{0,5}secrets\.(?!GITHUB_TOKEN\b)/,
  ],
  [
    'a workflow on a machine of its owner',
    /\brun:(?:(?!\n\s{0,40}(?:-\s|env:|with:|uses:))[^]){0,300}?\$\{\{\s{0,5}github\.event\.(?:discussion|issue|comment|review)\.(?:body|title)\b/,
    /\bruns-on:\s{0,5}\[?\s{0,5}self-hosted\b/,
  ],
];

/** Workflows that run what strangers bring. */
function strangers(build: ScannedBuild): Finding[] {
  const files = build.files.filter(({ path }) => /\.github\/workflows\//.test(path));
  return files.flatMap(({ path, text = '' }) =>
    FOR_STRANGERS.flatMap(([how, shown, ...beside]) => {
      const match = beside.every((one) => one.test(text)) ? shown.exec(text) : null;
      if (match === null) return [];
      const place = { path, at: match.index, end: match.index + match[0].length };
      return [found(build, 'remote-code', place, { how }, 'warn')];
    }),
  );
}

/** In a bundle, facts that are farther apart are connected by chance. */
const NEAR = 20_000;

export function isNear({ path, at, operand }: Fact, label: number): boolean {
  return operand.origins.some(
    (o) => (o.label & label) !== 0 && o.path === path && Math.abs(o.at - at) < NEAR,
  );
}

/** Whether the code contains or computes the address that it fetches from; otherwise its caller passes it. */
function isFromOwnAddress(build: ScannedBuild, value: Value): boolean {
  return requestsFor(build, value).some(namesHost);
}

function requestsFor({ taint }: ScannedBuild, { origins }: Value): Fact[] {
  const fetched = origins.filter((o) => (o.label & FETCHED) !== 0);
  return taint.facts.filter(
    (f) => f.action === 'send' && fetched.some((o) => o.path === f.path && o.at === f.at),
  );
}

/** A script of the maintainers, which runs what the places serve from which packages are published. */
function isByHand(build: ScannedBuild, { path }: Fact, value: Value): boolean {
  if (!/(?:^|\/)(?:tools|scripts)\//.test(path) || filesAtInstall(build).has(path)) return false;
  const hosts = requestsFor(build, value).map(hostsOf);
  return hosts.every((all) => all.length > 0 && all.every(isDistributor));
}

function namesHost(fact: Fact): boolean {
  const isMadeUp = (fact.operand.labels & (DECODED | SPELLED)) !== 0;
  return (
    isMadeUp ||
    hostsOf(fact).length > 0 ||
    addressesOf(fact).some((a) => /[a-z\d]{4}/i.test(a.replace(/^\w{2,8}:/, '')))
  );
}

/** A file into which downloaded content is written, and which is then started. */
function downloads(build: ScannedBuild): Finding[] {
  return arrivedFiles(build).flatMap((file) => {
    const { path, names, targets, sends } = file;
    const locked = lockedStartOf(build, file);
    const start = startOf(build, file) ?? locked;
    if (start === undefined) return [];
    const isSuspicious = sends.some((f) => suspicionsOf(f).length > 0);
    // In a bundle only an address that is visible connects the two.
    const hosts = sends.flatMap(hostsOf).filter((one) => !isLocal(one) && one.includes('.'));
    if (file.isLarge && !isSuspicious && hosts.length === 0) return [];
    const addresses = sends.flatMap(addressesOf).filter((a) => hostsIn(a).length > 0);
    if (!isSuspicious && addresses.every((a) => isTrustedPlace(build, a))) return [];
    const isProgram = /\.(?:exe|bat|ps1|vbs|scr|dll)$/i.test(names[0] ?? '');
    const isOfMaker =
      hosts.length > 0 &&
      addresses.every((a) => a.startsWith('https:')) &&
      (hosts.every((one) => isOwnHost(build, one)) || comparesDigest(fileAt(build, file)));
    const level =
      isSuspicious ||
      locked !== undefined ||
      ((filesAtInstall(build).has(path) || isProgram) && !isOfMaker)
        ? 'error'
        : 'warn';
    const [host = 'an address'] = hosts;
    const args = { file: quote(names[0] ?? targets[0] ?? ''), host: quote(host) };
    return [found(build, 'remote-code-download', start, args, level)];
  });
}

/** Whether the code compares a digest of what it downloads with one that is known. */
const comparesDigest = once(
  ({ text = '' }: ScannedFile) => /\b(?:createHash|hashlib)\b/.test(text) && COMPARED.test(text),
);

const COMPARED =
  /(?:checksum|sha256|digest|hash)\w{0,20}\s{0,3}[!=]==?|[!=]==?\s{0,3}[\w.]{0,40}(?:checksum|sha256|digest|hash)/i;
