/** The tools that read the registry or the project. */
import { z } from 'zod';
import type { PackageRecord as Record } from '../../format/record.ts';
import { PackageRecord } from '../../format/record.ts';
import { answerSchema } from '../answers/all.ts';
import { info } from '../commands/info.ts';
import { list } from '../commands/installed-builds.ts';
import { verify } from '../commands/verify.ts';
import type { Tool } from './tool.ts';
import { defineTool } from './tool.ts';

export const infoTool: Tool = defineTool({
  name: 'info',
  title: 'Show a build',
  description:
    'The package record of a build: versions, requirements, risk and findings, files, variables. Its README and integration steps come with "texts".',
  input: z.strictObject({
    build: z.string().max(400).describe('"<owner>/<name>" or "<owner>/<name>@<range>"'),
    texts: z.boolean().default(false).describe('with README.md and INTEGRATION.md'),
  }),
  data: PackageRecord,
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
    'Compares the files of installed builds with the lock of the project. Status "different" when some differ.',
  input: z.strictObject({}),
  data: answerSchema('verify'),
  isChanging: false,
  run: (_input, { options }) => verify(options),
});

export const listTool: Tool = defineTool({
  name: 'list',
  title: 'List installed builds',
  description: 'The builds that the project has, with their versions, and why each is there.',
  input: z.strictObject({}),
  data: answerSchema('list'),
  isChanging: false,
  run: async (_input, { options }) => list(options),
});
