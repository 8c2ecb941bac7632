/** From a fact to what a finding says of it: addresses, commands, where it is. */
import type { Finding, FindingArgs, FindingLevel } from '../../format/finding/finding.ts';
import { at, finding } from '../../format/finding/finding.ts';
import type { FindingCode } from '../../format/finding/catalogue.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import type { Fact } from '../taint/fact.ts';
import { UNKNOWN, deepTexts } from '../taint/value.ts';
import type { Value } from '../taint/value.ts';
import { hostOf, isLocal, suspicionOf } from './host.ts';
import type { HostKind } from './host.ts';

const MAX_QUOTE = 100;

/** The addresses that a fact sends to, as far as they are constant. */
export function addressesOf({ operand, args, action, api }: Fact): string[] {
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
      if (host === undefined) continue;
      const path = text('path') ?? text('pathname') ?? '/';
      found.push(host.includes('//') ? host : `//${host}${path.startsWith('/') ? '' : '/'}${path}`);
    }
  }
  // `connect(port, host)`
  const second = args[1]?.texts[0];
  if (api.endsWith('connect') && second !== undefined && action === 'send')
    found.push(`//${second}/`);
  return found;
}

export function hostsOf(fact: Fact): string[] {
  return [
    ...new Set(
      addressesOf(fact)
        .map(hostOf)
        .filter((h) => h !== undefined),
    ),
  ];
}

/** Whether a fact sends to this machine, a private network or an example only. */
export function staysLocal(fact: Fact): boolean {
  const hosts = hostsOf(fact);
  return hosts.length > 0 && hosts.every(isLocal);
}

export function suspicionsOf(fact: Fact): HostKind[] {
  return addressesOf(fact)
    .map(suspicionOf)
    .filter((s) => s !== undefined);
}

/** The command line that a fact starts, unknown parts as `UNKNOWN`. */
export function commandsOf({ operand, args }: Fact): string[] {
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
    const tail = [...list, ...more].join(' ');
    return (commands.length === 0 ? [UNKNOWN] : commands).map((c) => `${c} ${tail}`);
  }
  return commands;
}

/** The code that an interpreter gets as an argument: what follows `-c` or `-e` in a list. */
export function inlineCode({ operand, args }: Fact): Value | undefined {
  for (const { fields } of [operand, ...args].flatMap(({ objects }) => objects)) {
    const at = [...fields].find(([, { texts }]) => texts.some((t) => INLINE_OPTION.test(t)))?.[0];
    const code = at === undefined ? undefined : fields.get(String(Number(at) + 1));
    if (code !== undefined) return code;
  }
  return undefined;
}

const INLINE_OPTION = /^(?:-[ce]|--eval|-command|-encodedcommand|-enc|\/c)$/i;

/** The origin's words of the labels in `mask`: what a finding says flows. */
export function whatFlows({ operand, content }: Fact, mask: number): string {
  const origins = [...content.origins, ...operand.origins].filter((o) => (o.label & mask) !== 0);
  return [...new Set(origins.map((o) => quote(o.what)))].slice(0, 4).join(', ');
}

/** In a bundle, and in a build of many files, only what comes from the same file is taken to be there. */
export function isFar({ isLarge, path, operand, content }: Fact, mask: number): boolean {
  if (!isLarge) return false;
  const origins = [...content.origins, ...operand.origins].filter((o) => (o.label & mask) !== 0);
  return !origins.some((o) => o.path === path);
}

/** The text of the file that a fact is in; `''` when it is no text. */
export function textAt({ files }: ScannedBuild, { path }: Pick<Fact, 'path'>): string {
  return files.find((file) => file.path === path)?.text ?? '';
}

/** Whether what has a label of `mask` comes from the fact's own file. */
export function isFromHere({ path, operand }: Fact, mask: number): boolean {
  return operand.origins.some((o) => (o.label & mask) !== 0 && o.path === path);
}

/** Interfaces that turn data into objects and may run it. */
export const LOADERS = /pickle|dill|joblib|yaml|marshal/;

/** A finding at a fact's place. */
export function found(
  build: ScannedBuild,
  code: FindingCode,
  { path, at: offset, end }: Pick<Fact, 'path' | 'at' | 'end'>,
  args: FindingArgs,
  level?: FindingLevel,
): Finding {
  const one = finding(code, path, args, level);
  const file = build.files.find((f) => f.path === path);
  return file === undefined ? one : at(one, file.place(offset, Math.min(end - offset, 200)));
}

/** Text of a publisher in one printable line. */
export function quote(text: string): string {
  const line = text
    .replaceAll(UNKNOWN, '*')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}...` : line;
}

/** The first address or host in words. */
export function whereTo(fact: Fact): string {
  const [address] = addressesOf(fact);
  return quote(hostsOf(fact)[0] ?? address ?? 'an address that the code makes up');
}
