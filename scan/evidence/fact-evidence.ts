/** What a fact shows about addresses and commands. Several rules need it, so each value is computed once per fact. */
import { once } from '../once.ts';
import type { Fact } from '../taint/api.ts';
import { UNKNOWN, deepTexts, type Value } from '../taint/value.ts';
import { hostOf, isLocal, suspicionOf, type HostKind } from '../taint/host.ts';

/** Options that an interpreter's inline code follows. */
const INLINE_OPTION = /^(?:-[ce]|--eval|-command|-encodedcommand|-enc|\/c)$/i;

/** The constant addresses that a fact sends to. */
export const addressesOf = once(({ operand, args, action, api }: Fact): readonly string[] => {
  const found = [...operand.texts];
  for (const { fields } of operand.objects) {
    const text = (key: string): string | undefined => fields.get(key)?.texts[0];
    const base = text('baseURL') ?? '';
    for (const key of ['url', 'uri', 'href', 'URL']) {
      for (const one of fields.get(key)?.texts ?? [])
        found.push(one.startsWith('/') ? base + one : one);
    }
    for (const key of ['hostname', 'host', '0']) {
      const host = text(key);
      // A list of words is no list of addresses.
      if (host === undefined || (key === '0' && !/[./:]/.test(host))) continue;
      const path = text('path') ?? text('pathname') ?? '/';
      found.push(host.includes('//') ? host : `//${host}${path.startsWith('/') ? '' : '/'}${path}`);
    }
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
export const hostsOf = once((fact: Fact): readonly string[] => {
  const hosts = addressesOf(fact).map(hostOf);
  return [...new Set(hosts.filter((host) => host !== undefined))];
});

/** Whether a fact sends only to this machine, a private network or an example host. */
export function staysLocal(fact: Fact): boolean {
  const hosts = hostsOf(fact);
  return hosts.length > 0 && hosts.every(isLocal);
}

/** Why the addresses are suspicious; none for those that are not. */
export const suspicionsOf = once((fact: Fact): readonly HostKind[] =>
  addressesOf(fact)
    .map(suspicionOf)
    .filter((kind) => kind !== undefined),
);

/** The command lines that a fact starts, unknown parts as `UNKNOWN`. */
export const commandsOf = once(({ operand, args }: Fact): readonly string[] => {
  const commands = operand.texts.length > 0 ? [...operand.texts] : [];
  if (operand.objects.length > 0) commands.push(deepTexts(operand).join(' '));
  const list = args
    .slice(1)
    .filter((a) => a.objects.length > 0)
    .flatMap((a) =>
      a.objects
        .slice(0, 1)
        .flatMap(({ fields }) =>
          [...fields].filter(([k]) => /^\d+$/.test(k)).map(([, v]) => v.texts[0] ?? UNKNOWN),
        ),
    );
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
