/** Hosts under which nobody publishes legitimately: raw addresses, paste sites, webhooks, tunnels, dynamic names. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { DECODED } from '../../taint/label.ts';
import { suspicionOf, type HostKind } from '../../taint/address.ts';
import { contactsOf } from '../../evidence/command-requests.ts';
import { addressesOf, hostsOf } from '../../evidence/fact-evidence.ts';
import { fileAt, found, quote } from '../../evidence/fact-finding.ts';
import { filesAtInstall } from '../../evidence/commands.ts';

const NAMES: Readonly<Record<HostKind, string>> = {
  address: 'a bare network address',
  beacon: 'a service that records who calls',
  webhook: 'a fixed messenger webhook',
  paste: 'a paste site',
  // Published records contain this text: it never changes.
  tunnel: "a tunnel to somebody's machine",
  dynamic: 'a dynamic host name',
  unread: 'an address that cannot be read',
};

export const suspiciousHost: Rule = {
  name: 'suspicious-host',
  run: (build) => {
    const sends = contactsOf(build);
    if (sends.length === 0) return [];
    const atInstall = filesAtInstall(build);
    const inCode = sends.flatMap((fact) => checkFact(build, fact, atInstall.has(fact.path)));
    return inCode.length > 0 ? inCode : mentioned(build, sends);
  },
};

/** Worth a look wherever they are. */
const LOUD: ReadonlySet<HostKind> = new Set(['beacon', 'address', 'paste', 'unread']);

/** What an unknown text is padded with before it is decoded. */
const PADDING = /^(?=.*\*)[*=\d]{1,20}$/;

function checkFact(build: ScannedBuild, fact: Fact, isAtInstall: boolean): Finding[] {
  const hidden = fact.operand.origins.find(
    // Encoders also assemble text from single characters.
    ({ label, what, path }) =>
      (label === DECODED || what === 'xor') && path === fact.path && !PADDING.test(what),
  );
  if (
    hidden !== undefined &&
    !fact.isLarge &&
    fact.action === 'send' &&
    !isPlainAddress(build, fact)
  ) {
    const args = { kind: 'an address that is written in code', host: quote(hidden.what) };
    return [found(build, 'suspicious-host', fact, args, 'warn')];
  }
  for (const address of addressesOf(fact)) {
    const kind = suspicionOf(address);
    if (kind === undefined) continue;
    const isFixed = kind === 'webhook' ? /webhooks\/\d{5}|bot\d{5,}:/.test(address) : true;
    const isLoud = LOUD.has(kind) || (kind === 'webhook' && isFixed);
    const level = isAtInstall ? 'error' : isLoud ? 'warn' : 'info';
    const args = { kind: NAMES[kind], host: quote(address) };
    return [found(build, 'suspicious-host', fact, args, level)];
  }
  return [];
}

/** Whether the host is readable in the file; then another part of the address is encoded. */
function isPlainAddress(build: ScannedBuild, fact: Fact): boolean {
  const { text = '' } = fileAt(build, fact);
  const hosts = hostsOf(fact);
  return hosts.length > 0 && hosts.every((host) => text.includes(host));
}

/** The address is a constant of a file that sends; the analysis found no path from it to the sink. */
function mentioned(build: ScannedBuild, sends: readonly Fact[]): Finding[] {
  const senders = new Set(sends.map((f) => f.path));
  const text = build.taint.texts.find(
    (t) => senders.has(t.path) && suspicionOf(t.text) !== undefined,
  );
  if (text === undefined) return [];
  const args = { kind: NAMES[suspicionOf(text.text)!], host: quote(text.text) };
  return [found(build, 'suspicious-host', text, args, 'warn')];
}
