/** Keys, wallets, logins and tokens that are read from their files and sent away. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import {
  IN_DISCORD,
  TOOL_FOLDER,
  credentialKind,
  isOwnHost,
  toolToken,
} from '../../taint/secret-paths.ts';
import {
  CREDENTIAL,
  DECODED,
  ENCODED,
  SEEN,
  SPELLED,
  TOOL_TOKEN,
  WALLET_KEY,
} from '../../taint/label.ts';
import {
  addressesOf,
  shownLabels,
  hostsOf,
  staysLocal,
  suspicionsOf,
} from '../../evidence/fact-evidence.ts';
import { contactsOf } from '../../evidence/command-requests.ts';
import { found, isFar, whatFlows, whereTo } from '../../evidence/fact-finding.ts';

export const credentialTheft: Rule = {
  name: 'credential-theft',
  run: (build) => [...contactsOf(build).flatMap((fact) => sent(build, fact)), ...gathered(build)],
};

function sent(build: ScannedBuild, fact: Fact): Finding[] {
  const labels = fact.content.labels | fact.operand.labels;
  if (staysLocal(fact) || isFar(fact, CREDENTIAL | TOOL_TOKEN)) return [];
  const hosts = hostsOf(fact);
  const report = (mask: number, level?: FindingLevel): Finding[] => {
    const args = { what: whatFlows(fact, mask), host: whereTo(fact) };
    return [found(build, 'credential-theft', fact, args, level)];
  };
  if ((labels & CREDENTIAL) !== 0 && !(fact.isLarge && hosts.length === 0)) {
    // Protocols that sign with keys send to a host that their caller passes.
    const isHidden = (fact.operand.labels & (DECODED | SPELLED)) !== 0;
    const isNamed = hosts.length > 0 || suspicionsOf(fact).length > 0 || isHidden;
    // Clients of HTTP send a cookie of the page back to its own host, whose address their caller passes.
    if (hosts.length === 0 && whatFlows(fact, CREDENTIAL) === 'document.cookie') return [];
    return report(CREDENTIAL, isNamed ? 'error' : 'warn');
  }
  // A wallet signs with its key: it never sends it. Only a constant address shows whose the request is.
  if ((labels & WALLET_KEY) !== 0 && !fact.isLarge && hosts.length > 0)
    return report(WALLET_KEY, 'warn');
  // So with the requests of others; a handler may ask a service about the user whose password it gets.
  const seen = whatFlows(fact, SEEN);
  // To send a form is usual; to hide it in an address or a code is not.
  const isForm = seen === 'FormData' && fact.api !== '$image.src' && (labels & ENCODED) === 0;
  if ((labels & SEEN) !== 0 && hosts.length > 0 && !isForm)
    return report(SEEN, /^(?:req\.|FormData|\$field)/.test(seen) ? 'warn' : 'error');
  if ((labels & TOOL_TOKEN) === 0) return [];
  // A tool sends its token to its own service: only another host is theft.
  const origins = [...fact.content.origins, ...fact.operand.origins];
  const tools = origins.map((o) => toolToken(o.what.replaceAll('*', '\0')));
  const isKept = SECRET_API.test(fact.api) || addressesOf(fact).some((one) => SECRETS.test(one));
  const isBody = (shownLabels(fact) & TOOL_TOKEN) !== 0 && !isKept;
  const isOwn = (host: string): boolean =>
    tools.some((tool) => tool !== undefined && isOwnHost(tool, host, isBody));
  if (hosts.length === 0 || hosts.some(isOwn)) return [];
  // Tools for such files share them on purpose.
  const isFileOfTool = tools.some((tool) => tool?.kind === 'environment file');
  return report(TOOL_TOKEN, isFileOfTool ? 'warn' : undefined);
}

/** Nobody reads what a repository keeps as its secret. */
const SECRET_API = /^\$cloud\.[\w.]*(?:Repo|Org|Environment)Secret$/;
const SECRETS = /^https:\/\/api\.github\.com\/repos\/[^/]+\/[^/]+\/actions\/secrets\//;

/** Copies add nothing for a file that is already reported as one that collects. */
function gathered(build: ScannedBuild): Finding[] {
  const known = collected(build);
  const paths = new Set(known.map(({ file }) => file));
  return [...known, ...copied(build).filter(({ file }) => !paths.has(file))];
}

/** A browser keeps its files locked: malware copies them before it reads them. */
function copied(build: ScannedBuild): Finding[] {
  const { facts } = build.taint;
  const kindOf = ({ args }: Fact): string | undefined =>
    args[0]?.texts.map(credentialKind).find((kind) => kind !== undefined);
  const copy = facts.find(
    (f) => f.action === 'write' && !f.isLarge && /copy/i.test(f.api) && kindOf(f) !== undefined,
  );
  const send = facts.find(
    (f) => f.path === copy?.path && f.action === 'send' && !staysLocal(f) && hostsOf(f).length > 0,
  );
  if (copy === undefined || send === undefined) return [];
  const args = { what: kindOf(copy) ?? '', host: whereTo(send) };
  const level = suspicionsOf(send).length > 0 ? 'error' : 'warn';
  return [found(build, 'credential-theft', copy, args, level)];
}

/** Programs that look into several kinds of secrets and also send. */
function collected(build: ScannedBuild): Finding[] {
  const { facts, texts } = build.taint;
  const files = new Set(texts.map((t) => t.path));
  return [...files].flatMap((path) => {
    const own = texts.filter((t) => t.path === path);
    const kinds = new Set(own.map((t) => credentialKind(t.text)).filter((k) => k !== undefined));
    const sends = facts.filter((f) => f.path === path && f.action === 'send' && !staysLocal(f));
    const folders = own.filter((t) => TOOL_FOLDER.test(t.text));
    if (kinds.size > 0 && folders.length > 0 && sends.some((f) => !f.isLarge)) {
      kinds.add('folders of tools');
    }
    const [first] = own.filter((t) => credentialKind(t.text) !== undefined);
    if (kinds.size === 0 || sends.length === 0 || first === undefined) return [];
    const isSuspicious =
      sends.some((f) => suspicionsOf(f).length > 0) ||
      own.some((t) => /webhooks\/|telegram/.test(t.text));
    const isInside = own.some(({ text }) => IN_DISCORD.test(text));
    if (kinds.size < 2 && !isSuspicious && !isInside) return [];
    const args = { what: [...kinds].sort().join(', ') };
    const level = kinds.size > 2 || isSuspicious ? 'error' : 'warn';
    return [found(build, 'credential-theft-collected', first, args, level)];
  });
}
