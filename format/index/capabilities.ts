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

/** What a version can do that another cannot, as data and in words. */
const KINDS = {
  hosts: 'sends to',
  environment: 'reads the variable',
  reads: 'reads from',
  writes: 'writes to',
  processes: 'starts',
} as const satisfies Partial<Record<keyof CapabilityLists, string>>;
const MAX_SHOWN = 5;

/** Every capability of `now` that `before` does not have. */
export function capabilitiesBeyond(now: CapabilityLists, before: CapabilityLists): CapabilityLists {
  const beyond = (kind: keyof typeof KINDS | 'unread'): string[] => {
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

/** One kind of capability in words: `does` is the verb, `what` the first few names. */
interface CapabilityPhrase {
  readonly does: string;
  readonly what: string;
}

/** In words; a file that was not read is none: the checks and the gate name it. */
export function capabilityPhrases(gained: CapabilityLists): CapabilityPhrase[] {
  const phrases: CapabilityPhrase[] = Object.entries(KINDS).flatMap(([kind, does]) => {
    const names = gained[kind as keyof typeof KINDS];
    if (names.length === 0) return [];
    const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
    return [{ does, what: `${names.slice(0, MAX_SHOWN).join(', ')}${more}` }];
  });
  if (gained.dynamic_code) {
    phrases.push({ does: 'runs', what: 'code that is made while it runs' });
  }
  return phrases;
}
