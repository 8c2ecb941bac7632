/** Code that sends away data about the user: the environment, names, clipboard, keyboard, screen. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import { once } from '../../once.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import * as labels from '../../taint/label.ts';
import { contactsOf } from '../../evidence/command-requests.ts';
import { commandFindings, filesAtInstall } from '../../evidence/commands.ts';
import {
  addressesOf,
  asksForFile,
  hostsOf,
  staysLocal,
  suspicionsOf,
} from '../../evidence/fact-evidence.ts';
import { fileAt, found, isFar, quote, whatFlows, whereTo } from '../../evidence/fact-finding.ts';
import { isAddressLike, placeOf } from '../../taint/address.ts';
import { isDistributor } from '../../taint/known-hosts.ts';

const WATCHED = labels.CLIPBOARD | labels.SCREEN | labels.KEYBOARD;
const IDENTITY = labels.HOST_NAME | labels.USER_NAME | labels.NETWORK_ADDRESS | labels.LOCATION;
const SECRET_NAME = /(?:TOKEN|SECRET|PASSW|_KEY\b|APIKEY|CREDENTIAL|PRIVATE)/i;
const IDENTITY_NAME = /\.(?:USER|USERNAME|LOGNAME|HOSTNAME|COMPUTERNAME|HOME|PWD|USERPROFILE)$/;

/** Nobody else reads what is searched for. */
const SEARCH = /^(?:www\.)?(?:google|bing|duckduckgo)\.com\/(?:search)?\?/;

export const dataExfiltration: Rule = {
  name: 'data-exfiltration',
  run: (build) => {
    const atInstall = filesAtInstall(build);
    return [
      ...contactsOf(build).flatMap((fact) => checkFact(build, fact, atInstall.has(fact.path))),
      ...build.taint.facts.flatMap((fact) => printed(build, fact)),
      ...spilled(build),
      ...commandFindings(build, 'data-exfiltration'),
    ];
  },
};

function checkFact(build: ScannedBuild, fact: Fact, isAtInstall: boolean): Finding[] {
  if (fact.action !== 'send' || staysLocal(fact) || isFar(fact, ~0)) return [];
  const carried = fact.content.labels | fact.operand.labels;
  const isSuspicious = suspicionsOf(fact).length > 0;
  const isCertain = isSuspicious || isAtInstall;
  const report = (mask: number, level?: FindingLevel): Finding[] => {
    const args = { what: whatFlows(fact, mask), host: whereTo(fact) };
    return [found(build, 'data-exfiltration', fact, args, level)];
  };
  if ((carried & labels.ENVIRONMENT) !== 0) {
    const hosts = asksForFile(fact, labels.ENVIRONMENT) ? [] : hostsOf(fact);
    const isHidden =
      (fact.operand.labels & (labels.DECODED | labels.SPELLED)) !== 0 && !fact.isLarge;
    const isFixed = hosts.length > 0 || isHidden || /^\$(?:cloud|mailer)\./.test(fact.api);
    // In a bundle an address with several possible values proves nothing.
    const isMixed = fact.isLarge && hosts.length > 1 && hosts.some(isDistributor);
    if (isMixed || (!isFixed && !isCertain)) return [];
    return report(labels.ENVIRONMENT, 'error');
  }
  if ((carried & WATCHED) !== 0) {
    const isAddress = hostsOf(fact).length > 0 || isCertain;
    if (!isAddress && addressesOf(fact).some((one) => !isAddressLike(one))) return [];
    const isSearch = addressesOf(fact).every((one) => SEARCH.test(placeOf(one)));
    const level = isAddress && !isSearch ? 'error' : 'warn';
    return report(WATCHED, level);
  }
  const origins = [...fact.content.origins, ...fact.operand.origins];
  const names = origins.filter((o) => o.label === labels.VARIABLE).map((o) => o.what);
  const isOwn = isOwnChannel(build, fact);
  const secrets = names.filter((n) => SECRET_NAME.test(n) && !(isOwn && SERVICE.test(n)));
  if (secrets.length > 0 && isSuspicious && !isWebhookOnly(fact)) return report(labels.VARIABLE);
  // An installer requests the file that fits the machine, and finds its own files by the path of its code.
  if (!isSuspicious && asksForFile(fact, IDENTITY | labels.VARIABLE)) return [];
  const identity = bitsOf(carried & IDENTITY) + (names.some((n) => IDENTITY_NAME.test(n)) ? 1 : 0);
  const isNamed =
    (carried & (labels.HOST_NAME | labels.USER_NAME)) !== 0 ||
    names.some((n) => /USER|HOST|COMPUTER|LOGNAME/.test(n));
  if (isNamed && (isCertain || (identity > 1 && hostsOf(fact).length > 0))) {
    const isSure = isCertain || (identity > 2 && hostsOf(fact).length > 0);
    return report(IDENTITY | labels.VARIABLE, isSure ? 'error' : 'warn');
  }
  if (identity > 0 && isCertain && (carried & (labels.LOCATION | labels.NETWORK_ADDRESS)) !== 0)
    return report(IDENTITY, isSuspicious ? 'error' : 'warn');
  if (
    (carried & (labels.FILE | labels.OUTPUT)) !== 0 &&
    (carried & labels.FETCHED) === 0 &&
    isSuspicious &&
    !isOwn
  )
    return report(labels.FILE | labels.OUTPUT);
  if ((carried & (labels.OUTPUT | labels.SYSTEM)) !== 0 && isAtInstall && hostsOf(fact).length > 0)
    return report(labels.OUTPUT | labels.SYSTEM, 'warn');
  return [];
}

const SECRETS = labels.ENVIRONMENT | labels.CREDENTIAL | labels.TOOL_TOKEN | labels.VARIABLE;
/** Files whose content becomes a part of a log of GitHub. */
const LOG_FILE = /\.GITHUB_(?:STEP_SUMMARY|OUTPUT|ENV)$/;

/** What a workflow does with all secrets, or with the memory of its runner. */
const SPILLED =
  /\b(?:env|run):(?:(?!\b(?:with|uses):)[^]){0,300}?\$\{\{\s{0,5}toJSON\(\s{0,5}secrets\b|\/proc\/\S{1,40}(?:\s[^)\n]{0,80}\))?\/(?:environ|mem)\b/i;
const SPILLS = /\b(?:curl|wget|nc|base64|xxd|upload-artifact)\b/;

/** Workflows that send or print what their runner knows. */
function spilled(build: ScannedBuild): Finding[] {
  return build.files.flatMap(({ path, text = '' }) => {
    const match =
      /\.github\/workflows\//.test(path) && SPILLS.test(text) ? SPILLED.exec(text) : null;
    if (match === null) return [];
    const place = { path, at: match.index, end: match.index + match[0].length };
    const args = { what: quote(match[0]), host: 'a command of the workflow' };
    return [found(build, 'data-exfiltration', place, args, 'warn')];
  });
}

/** A log of CI masks secrets, but not their encoded form. */
function printed(build: ScannedBuild, fact: Fact): Finding[] {
  const { action, operand, content } = fact;
  const isLog =
    action === 'print' ||
    (action === 'write' && operand.origins.some(({ what }) => LOG_FILE.test(what)));
  const isWhole = (content.labels & (labels.ENVIRONMENT | labels.CREDENTIAL)) !== 0;
  const isSecret = isWhole || content.origins.some(({ what }) => SECRET_NAME.test(what));
  if (!isLog || !isSecret || (content.labels & labels.ENCODED) === 0 || isFar(fact, SECRETS))
    return [];
  const args = {
    what: whatFlows(fact, SECRETS),
    host: 'the log, encoded so that nothing masks it',
  };
  return [found(build, 'data-exfiltration', fact, args, isWhole ? 'error' : 'warn')];
}

/** The API of a messenger requires its token in the address. */
function isWebhookOnly(fact: Fact): boolean {
  return suspicionsOf(fact).every((kind) => kind === 'webhook') && fact.operand.labels !== 0;
}

const SERVICE = /SLACK|TELEGRAM|DISCORD/i;
const TOKEN_OF_SERVICE = /(?:environ|getenv|process\.env)\W{1,9}\w{0,30}(?:SLACK|TELEGRAM|DISCORD)/;
const takesToken = once(({ text = '' }: ScannedFile) => TOKEN_OF_SERVICE.test(text));

/** A program whose bot gets its token from the user's environment writes into the user's own channel. */
function isOwnChannel(build: ScannedBuild, fact: Fact): boolean {
  return /^\$(?:slack|telegram|discord)\./.test(fact.api) && takesToken(fileAt(build, fact));
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
