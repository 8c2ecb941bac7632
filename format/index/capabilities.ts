/** What the checks found the code of one version to do. Its document has it. */
import { z } from 'zod';

const Names = z.array(z.string());

/** Something that the language, a compiler or a runtime must have for the code of a version. */
export const LanguageNeed = z.object({
  need: z
    .string()
    .describe(
      '"esm", "commonjs", "import-meta", "top-level-await", "jsx", "decorators", "parameter-decorators", "bigint", "regexp-d", "regexp-v", "es2021", "python3.10", and such.',
    ),
  path: z.string().describe('The file within the build that needs it.'),
  line: z.int().describe('The first line there that does, from 1.'),
});

export type LanguageNeed = z.infer<typeof LanguageNeed>;

/** All lists are sorted. */
export const Capabilities = z.object({
  hosts: Names.describe(
    'Hosts that the code sends to; "*" for addresses that are not constant, the address itself where it cannot be read.',
  ),
  environment: Names.describe('Variables that it reads; "*" for names that are not constant.'),
  reads: Names.describe('Paths outside of the build that it reads; "*" for any.'),
  writes: Names.describe('Paths that it writes or deletes; "*" for any.'),
  processes: Names.describe('Programs that it starts; "*" for names that are not constant.'),
  dynamic_code: z.boolean().describe('Whether it runs code that is made while it runs.'),
  unread: Names.describe('Files whose code was not read, so that nothing is said of them.'),
  language: z
    .array(LanguageNeed)
    .optional()
    .describe(
      'What the code needs of its language, each with its first place in TypeScript and in other files. Syntax up to ES2020 and Python 3.7 is not listed.',
    ),
});

export type CapabilityLists = z.infer<typeof Capabilities>;

/** What a version can do with the names of each kind, and what `*` alone stands for: the words of every place that says it. */
const KINDS = {
  hosts: ['send data to', 'send data to any address'],
  environment: ['read the variable', 'read any variable'],
  reads: ['read', 'read any file'],
  writes: ['write or delete', 'write or delete any file'],
  processes: ['start', 'start any program'],
  unread: ['run what no check has read in', 'run code that no check has read'],
} as const satisfies Partial<Record<keyof CapabilityLists, readonly [string, string]>>;
/** What `*` stands for beside other names. */
export const ANY_OTHER = 'any other';
const MAX_SHOWN = 5;

/** Every capability of `now` that `before` does not have. */
export function capabilitiesBeyond(now: CapabilityLists, before: CapabilityLists): CapabilityLists {
  const beyond = (kind: keyof typeof KINDS): string[] => {
    const known = new Set(before[kind]);
    return now[kind].filter((name) => !known.has(name));
  };
  return {
    hosts: beyond('hosts'),
    environment: beyond('environment'),
    reads: beyond('reads'),
    writes: beyond('writes'),
    processes: beyond('processes'),
    dynamic_code: now.dynamic_code && !before.dynamic_code,
    unread: beyond('unread'),
  };
}

/** One kind of capability: "can `does` `names`", and how many more names there are. */
export interface CapabilityLine {
  readonly does: string;
  readonly names: readonly string[];
  readonly more: number;
}

/** One line for each kind that has names. */
export function capabilityLines(lists: CapabilityLists, limit = 30): CapabilityLine[] {
  const lines = Object.entries(KINDS).flatMap(([kind, [does, all]]): CapabilityLine[] => {
    const known = lists[kind as keyof typeof KINDS];
    const constant = known.filter((name) => name !== '*');
    if (known.length === 0) return [];
    if (constant.length === 0) return [{ does: all, names: [], more: 0 }];
    const any = constant.length < known.length ? [ANY_OTHER] : [];
    const names = [...constant.slice(0, limit - any.length), ...any];
    return [{ does, names, more: known.length - names.length }];
  });
  const made = { does: 'run code that it makes while it runs', names: [], more: 0 };
  return lists.dynamic_code ? [...lines, made] : lines;
}

/** A line as text: "send data to a.io, b.io and 3 more". */
export function formatCapability(
  { does, names, more }: CapabilityLine,
  separator = ' ',
  format: (name: string) => string = (name) => name,
): string {
  const rest = more > 0 ? ` and ${more} more` : '';
  return names.length === 0 ? does : `${does}${separator}${names.map(format).join(', ')}${rest}`;
}

/** In words; a file that was not read is none: the checks and the gate name it. */
export function capabilityPhrases(gained: CapabilityLists): string[] {
  return capabilityLines({ ...gained, unread: [] }, MAX_SHOWN).map((line) =>
    formatCapability(line),
  );
}
