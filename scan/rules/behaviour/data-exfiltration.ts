/** Code that sends away data about the user: the environment, names, clipboard, keyboard, screen. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import * as labels from '../../taint/label.ts';
import { contactsOf } from '../../evidence/command-requests.ts';
import { commandFindings, filesAtInstall } from '../../evidence/commands.ts';
import { addressesOf, hostsOf, staysLocal, suspicionsOf } from '../../evidence/fact-evidence.ts';
import { found, isFar, whatFlows, whereTo } from '../../evidence/fact-finding.ts';
import { goFindings } from '../../evidence/go-code.ts';
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
      ...commandFindings(build, 'data-exfiltration'),
      ...goFindings(build).filter(({ code }) => code === 'data-exfiltration'),
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
    const hosts = hostsOf(fact).filter((host) => !isDistributor(host));
    const isHidden =
      (fact.operand.labels & (labels.DECODED | labels.SPELLED)) !== 0 && !fact.isLarge;
    // What a client of code hosts or mail sends is a text for others, not a request for a package.
    const isFixed = hosts.length > 0 || isHidden || /^\$(?:cloud|mailer)\./.test(fact.api);
    // In a bundle an address with several possible values proves nothing.
    const isMixed = fact.isLarge && hostsOf(fact).some(isDistributor);
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
  const isDownload =
    !isSuspicious && hostsOf(fact).length > 0 && hostsOf(fact).every(isDistributor);
  if (isDownload) return [];
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

/** The API of a messenger requires its token in the address. */
function isWebhookOnly(fact: Fact): boolean {
  return suspicionsOf(fact).every((kind) => kind === 'webhook') && fact.operand.labels !== 0;
}

const SERVICE = /SLACK|TELEGRAM|DISCORD/i;
const TOKEN_OF_SERVICE = /(?:environ|getenv|process\.env)\W{1,9}\w{0,30}(?:SLACK|TELEGRAM|DISCORD)/;

/** A program whose bot gets its token from the user's environment writes into the user's own channel. */
function isOwnChannel({ files }: ScannedBuild, { api, path }: Fact): boolean {
  const text = files.find((file) => file.path === path)?.text ?? '';
  return /^\$(?:slack|telegram|discord)\./.test(api) && TOKEN_OF_SERVICE.test(text);
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
