/** The tools that read the registry or the project. */
import { z } from 'zod';
import type { PackageRecord as Record } from '../../format/index/record.ts';
import { dataSchema } from '../output-schema/output-schema.ts';
import { fit } from '../commands/fit.ts';
import { info } from '../commands/info.ts';
import { list } from '../commands/installed-builds.ts';
import { search } from '../commands/search.ts';
import { verify } from '../commands/verify.ts';
import { view } from '../commands/view.ts';
import type { Tool } from './tool.ts';
import { defineTool } from './tool.ts';

export const infoTool: Tool = defineTool({
  name: 'info',
  title: 'Show a build',
  description:
    'The package record of a build: versions, requirements, risk and findings, files, variables. Its README and integration steps come with "texts".',
  input: z.strictObject({
    build: z
      .string()
      .max(400)
      .describe(
        '"[<registry>:]<owner>/<name>[@<range>]"; without a registry, that of the owner, otherwise the default one',
      ),
    texts: z.boolean().default(false).describe('with README.md and INTEGRATION.md'),
  }),
  data: dataSchema('info'),
  isChanging: false,
  run: async ({ build, texts }, context) => {
    const options = { ...context.options, readme: false, integration: false };
    const outcome = await info(build, options, context);
    if (texts) return outcome;
    return { ...outcome, data: { ...(outcome.data as Record), readme: '', integration: '' } };
  },
});

export const verifyTool: Tool = defineTool({
  name: 'verify',
  title: 'Verify installed files',
  description:
    'Compares the files of installed builds with the lock of the project. Status "different" when some differ in more than their formatting.',
  input: z.strictObject({}),
  data: dataSchema('verify'),
  isChanging: false,
  run: (_input, context) => verify(context.options, context),
});

export const listTool: Tool = defineTool({
  name: 'list',
  title: 'List installed builds',
  description: 'The builds that the project has, with their versions, and why each is there.',
  input: z.strictObject({}),
  data: dataSchema('list'),
  isChanging: false,
  run: async (_input, { options }) => list(options),
});

const Tags = z.array(z.string().max(200)).max(20).default([]);

export const searchTool: Tool = defineTool({
  name: 'search',
  title: 'Search builds',
  description: 'Finds builds of the registries of the project by words and stack tags, best first.',
  input: z.strictObject({
    words: z.string().max(200).default(''),
    kind: z.enum(['module', 'foundation']).optional(),
    provides: Tags.describe('stack tags that a build must provide'),
    requires: Tags.describe('stack tags that a build must require'),
    fits: z.boolean().default(false).describe('only modules that could be added to this project'),
    limit: z.int().min(1).max(100).default(20),
  }),
  data: dataSchema('search'),
  isChanging: false,
  run: ({ words, kind, ...rest }, context) => {
    const terms = words.split(/\s+/).filter((word) => word !== '');
    return search(terms, { ...context.options, ...rest, kind }, context);
  },
});

export const viewTool: Tool = defineTool({
  name: 'view',
  title: 'View files of a build',
  description: 'Lists the files of a build, or shows one of them, without installing it.',
  input: z.strictObject({
    build: z
      .string()
      .max(400)
      .describe(
        '"[<registry>:]<owner>/<name>[@<range>]"; without a registry, that of the owner, otherwise the default one',
      ),
    file: z.string().max(400).optional().describe('a path that the list shows'),
  }),
  data: dataSchema('view'),
  isChanging: false,
  run: ({ build, file }, context) => {
    return view(build, file, { ...context.options, raw: false, isTerminal: false }, context);
  },
});

export const fitTool: Tool = defineTool({
  name: 'fit',
  title: 'Check whether builds fit',
  description:
    'Reports whether builds can be installed into this project, and if not, the smallest set of facts that prevents it, with its derivation.',
  input: z.strictObject({
    builds: z
      .array(z.string().max(400))
      .min(1)
      .max(50)
      .describe('"[<registry>:]<owner>/<name>[@<range>]"'),
  }),
  data: dataSchema('fit'),
  isChanging: false,
  run: ({ builds }, context) => fit(builds, { ...context.options, why: false }, context),
});
