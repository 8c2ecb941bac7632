/** What the checks found the code of one version to do. Its address is in `layout.ts`. */
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

/** The schema of `/builds/<owner>/<name>/<version>.capabilities.json`. All lists are sorted. */
export const Capabilities = z
  .object({
    id: z.string().describe('<owner>/<name>.'),
    version: z.string(),
    hosts: Names.describe('Hosts that the code sends to; "*" for addresses that are not constant.'),
    environment: Names.describe('Variables that it reads; "*" for names that are not constant.'),
    reads: Names.describe('Paths outside of the build that it reads; "*" for any.'),
    writes: Names.describe('Paths that it writes or deletes; "*" for any.'),
    processes: Names.describe('Programs that it starts; "*" for names that are not constant.'),
    dynamic_code: z.boolean().describe('Whether it runs code that is made while it runs.'),
    // allow-word said: the description is part of the index, which must not change
    unread: Names.describe('Files whose code was not read, so that nothing is said of them.'),
    language: z
      .array(LanguageNeed)
      .optional()
      .describe(
        'What the code needs of its language, each with its first place in TypeScript and in other files. Syntax up to ES2020 and Python 3.7 is not listed.',
      ),
  })
  .meta({ title: 'Stackyard capabilities' });

export type Capabilities = z.infer<typeof Capabilities>;

/** Those of a build whose id and version are known from elsewhere. */
export type CapabilityLists = Omit<Capabilities, 'id' | 'version'>;
