/** What a fact shows about addresses and commands. Several rules need it, so each value is computed once per fact. */
import { once } from '../once.ts';
import type { Fact } from '../taint/api.ts';
import { UNKNOWN, deepTexts, type Value } from '../taint/value.ts';
import type { HostKind } from '../taint/address.ts';
import { addressesBelow, hostsIn, isAddressLike, isLocal, suspicionOf } from '../taint/address.ts';
import { isDistributor } from '../taint/known-hosts.ts';

/** Options that an interpreter's inline code follows. */
const INLINE_OPTION = /^(?:-[ce]|--eval|-command|-encodedcommand|-enc|\/c)$/i;

/** The constant addresses that a fact sends to. */
export const addressesOf = once(({ operand, args, action, api }: Fact): readonly string[] => {
  const found = [...operand.texts];
  // `http.request(address, options)`: the options replace parts of the address.
  const options = api.startsWith('http.') ? [operand, ...args] : [operand];
  for (const { fields } of options.flatMap(({ objects }) => objects)) {
    const texts = (key: string): readonly string[] => fields.get(key)?.texts ?? [];
    const [base] = texts('baseURL');
    const named = ['url', 'uri', 'href', 'URL'].flatMap(texts);
    found.push(...(base === undefined ? named : named.flatMap((one) => addressesBelow(base, one))));
    found.push(...['baseURL', 'origin'].flatMap(texts));
    const [path = '/'] = ['path', 'pathname'].flatMap(texts);
    // A list of words is no list of addresses.
    const first = texts('0').filter((one) => /[./:]/.test(one));
    for (const host of [...texts('hostname'), ...texts('host'), ...first])
      found.push(isAddressLike(host) ? host : `//${host}/${path.replace(/^\//, '')}`);
  }
  // `connect(port, host)`
  const second = args[1]?.texts[0];
  if (api.endsWith('connect') && second !== undefined && action === 'send')
    found.push(`//${second}/`);
  // `send(message, port, host)`, `sendto(message, (host, port))`
  if (/^\$socket\.send(?:to)?$/.test(api)) {
    for (const text of args.slice(1).flatMap(deepTexts)) found.push(`//${text}/`);
  }
  return found;
});

/** The hosts of these addresses, without duplicates. */
export const hostsOf = once((fact: Fact): readonly string[] => [
  ...new Set(addressesOf(fact).flatMap(hostsIn)),
]);

/** Whether a fact sends only to this machine, a private network or an example host. */
export function staysLocal(fact: Fact): boolean {
  const hosts = hostsOf(fact);
  return hosts.length > 0 && hosts.every(isLocal) && suspicionsOf(fact).length === 0;
}

const QUERY = /[?&](?!\w*(?:token|key)=)\w*=?\0/i;

/** The labels of what the receiver of a request may show to others: its body, its headers and its query. */
export function shownLabels({ body, content, operand }: Fact): number {
  return (body ?? content).labels | (operand.texts.some((t) => QUERY.test(t)) ? operand.labels : 0);
}

/** Whether a request only asks hosts of packages for a file, and shows them nothing that has a label of `mask`. */
export function asksForFile(fact: Fact, mask: number): boolean {
  const hosts = hostsOf(fact);
  const isKnown = hosts.length > 0 && hosts.every((one) => isDistributor(one) || isLocal(one));
  // What a client of code hosts sends is a text for others.
  if (!isKnown || fact.api.startsWith('$') || (shownLabels(fact) & mask) !== 0) return false;
  return (fact.content.labels & mask) === 0 || !addressesOf(fact).some((one) => QUERY.test(one));
}

/** Why the addresses are suspicious; none for those that are not. */
export const suspicionsOf = once((fact: Fact): readonly HostKind[] =>
  addressesOf(fact).flatMap((address) => suspicionOf(address) ?? []),
);

/** The command lines that a fact starts, unknown parts as `UNKNOWN`. */
export const commandsOf = once(({ operand, args }: Fact): readonly string[] => {
  const commands = [...operand.texts];
  if (operand.objects.length > 0) commands.push(deepTexts(operand).join(' '));
  const list = args
    .slice(1)
    .flatMap(({ objects: [first] }) => [...(first?.fields ?? [])])
    .flatMap(([key, value]) => (/^\d+$/.test(key) ? [value.texts[0] ?? UNKNOWN] : []));
  const more = args.slice(1).flatMap((a) => (a.objects.length === 0 ? a.texts.slice(0, 1) : []));
  if (list.length > 0 || more.length > 0) {
    const tail = [...list, ...more];
    // A program without a known name gets each argument as it is: no shell reads it.
    const plain = tail.some((one) => INLINE_OPTION.test(one))
      ? tail
      : tail.filter((one) => !/\w[;|&]+\s/.test(one));
    return (commands.length === 0 ? [UNKNOWN] : commands).map((c) =>
      [c, ...(c.startsWith(`${UNKNOWN}/`) ? plain : tail)].join(' '),
    );
  }
  return commands;
});

/** What names the program that a fact starts: of a list its first word; the others are arguments. */
export function programOf({ operand }: Fact): Value {
  return operand.objects[0]?.fields.get('0') ?? operand;
}

/** The code that an interpreter gets as an argument: what follows `-c` or `-e` in a list. */
export const inlineCode = once(({ operand, args }: Fact): Value | undefined => {
  for (const { fields } of [operand, ...args].flatMap(({ objects }) => objects)) {
    const at = [...fields].find(([, { texts }]) => texts.some((t) => INLINE_OPTION.test(t)))?.[0];
    const code = at === undefined ? undefined : fields.get(String(Number(at) + 1));
    if (code !== undefined) return code;
  }
  return undefined;
});

/** The variables that a fact reads, `*` for a name that is not constant. */
export function variablesOf({ operand }: Fact): string[] {
  const names = operand.texts.filter((t) => !t.includes(UNKNOWN));
  return names.length === 0 ? ['*'] : names.filter((n) => /^[A-Za-z_]\w{0,119}$/.test(n));
}
