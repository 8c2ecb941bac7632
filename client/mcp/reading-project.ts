/** The tools that compare the project with its builds and their registries. */
import { z } from 'zod';
import { advisories } from '../commands/advisories.ts';
import { diff } from '../commands/diff.ts';
import { outdated } from '../commands/outdated.ts';
import { dataSchema } from '../output-schema/output-schema.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readLock } from '../project/project.ts';
import type { Tool } from './tool.ts';
import { defineTool } from './tool.ts';

export const diffTool: Tool = defineTool({
  name: 'diff',
  title: 'Show differences',
  description:
    'The edits of the user in installed files, or with "upstream" what the newest versions in range change, as hunks of a patch.',
  input: z.strictObject({
    only: z
      .array(z.string().max(400))
      .max(50)
      .default([])
      .describe('ids of installed builds, or paths of the project; none means all'),
    upstream: z.boolean().default(false),
  }),
  data: dataSchema('diff'),
  isChanging: false,
  run: ({ only, upstream }, context) => {
    return diff(only, { ...context.options, upstream, exitCode: false }, context);
  },
});

export const outdatedTool: Tool = defineTool({
  name: 'outdated',
  title: 'List newer versions',
  description:
    'Compares the installed builds with their registry: newer versions, advisories, yanked and deprecated ones.',
  input: z.strictObject({}),
  data: dataSchema('outdated'),
  isChanging: false,
  run: (_input, context) => outdated({ ...context.options, exitCode: false }, context),
});

export const advisoriesTool: Tool = defineTool({
  name: 'advisories',
  title: 'List advisories',
  description:
    'The advisories about installed versions: known faults, each with the first version that has none. Status "different" when there are any that the project does not ignore.',
  input: z.strictObject({}),
  data: dataSchema('advisories'),
  isChanging: false,
  run: (_input, context) => advisories({ ...context.options, undo: false, dryRun: false }, context),
});

export const registryTool: Tool = defineTool({
  name: 'registry',
  title: 'List the registries',
  description:
    'The registries that the lock of the project names, each with its origin, its address and the number of builds from it.',
  input: z.strictObject({}),
  data: z.looseObject({
    registries: z.array(
      z.looseObject({
        name: z.string(),
        origin: z.string().describe('The name that the registry has at all its addresses.'),
        address: z.string(),
        builds: z.int(),
      }),
    ),
  }),
  isChanging: false,
  run: async (_input, { options }) => {
    const { registries = {}, builds = {} } = readLock(chooseProject(options)) ?? {};
    const sources = Object.values(builds).map(({ registry }) => registry);
    const rows = Object.entries(registries).map(([name, { origin, address }]) => {
      return { name, origin, address, builds: sources.filter((one) => one === name).length };
    });
    return { status: 'done', data: { registries: rows }, text: [] };
  },
});
