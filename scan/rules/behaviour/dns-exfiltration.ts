/** Code that sends data in the host names that it looks up. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { DECODED, ENCODED, FETCHED, SPELLED, SYSTEM, VARIABLE } from '../../taint/label.ts';
import { contactsOf } from '../../evidence/command-requests.ts';
import { found, quote, whatFlows } from '../../evidence/fact-finding.ts';

/** Everything but what is read from the network or a harmless variable. */
const REPORTED = ~(FETCHED | VARIABLE | SYSTEM | DECODED | ENCODED | SPELLED);

/** Characters of a name with what stands in it for data; a name server answers for 253. */
const MAX_NAME = 500;

export const dnsExfiltration: Rule = {
  name: 'dns-exfiltration',
  run: (build) => contactsOf(build).flatMap((fact) => checkFact(build, fact)),
};

function checkFact(build: ScannedBuild, fact: Fact): Finding[] {
  const { action, operand, content } = fact;
  const labels = (operand.labels | content.labels) & REPORTED;
  if (action !== 'resolve' || labels === 0) return [];
  // A name that contains the data: `${data}.host`.
  // The values that `%` inserts follow the text and are not part of the constant.
  const name = operand.texts[0]?.slice(-MAX_NAME).replace(/(%s.*)\0$/, '$1');
  if (name === undefined || !/[\w-]+\.[a-z]{2,}\.?$/i.test(name) || !/\0|%/.test(name)) return [];
  return [
    found(build, 'dns-exfiltration', fact, { what: whatFlows(fact, labels), name: quote(name) }),
  ];
}
