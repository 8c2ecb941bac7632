/** The command `matrix`: measures builds with versions of their stack, and writes the rows under `signals/`. */
import { z } from 'zod';
import { isBuildId } from '../../format/build/build-id.ts';
import { defineCommand } from '../../format/command/command.ts';
import { formatError } from '../errors.ts';
import { flag, json, repo, text, whole } from './fields.ts';

const MAX_MINUTES = 999_999;

export const command = defineCommand({
  description:
    'Measures with which versions of its stack tags and packages a build works, and writes signals/<owner>/<name>.matrix.json. Of each range: the lowest version that it admits, the newest of each major, the newest; of a range without a lower end, such as "*", the newest of the four newest majors. One varies, the others are the newest; what fails is tried with the lowest of the others. Each is a new project: the build is added, packages are installed, types are checked, the code is loaded, and the commands under Verify of the guide are run. It measures the newest version of each build; a row counts for 30 days',
  input: z.object({
    build: z.array(z.string().refine(isBuildId, 'it must be <owner>/<name>')).default([]).meta({
      description: 'this build, which may be repeated; by default all, the most used first',
      placeholder: 'id',
    }),
    minutes: whole(0, MAX_MINUTES)
      .optional()
      .meta({ description: 'begin no row after this many minutes', placeholder: 'count' }),
    dryRun: flag('print what would be measured'),
    registry: z
      .string()
      .regex(/^https?:\/\/./, 'it must be an address with https')
      .optional()
      .meta({
        description:
          'a registry that is served; by default the index of the repository, served for this run',
        placeholder: 'url',
      }),
    repo: repo.meta({
      description: 'the repository whose signals/ are written',
      placeholder: 'dir',
    }),
    cache: text(
      'dir',
      'packages and runtimes, for all projects; by default a folder below the temporary one',
    ),
    json,
  }),
  notes: [
    'IT RUNS CODE OF BUILDS AND OF PACKAGES: run it where nothing can be taken, such as a CI job without secrets.',
    'Exit status: 0 done, whatever was found; 1 something could not be measured; 2 wrong usage. Every row is written as soon as it is measured: a run that is killed loses one.',
  ],
  examples: ['matrix --build stackyard/sqlite --dry-run'],
  run: async ({ build: builds, dryRun: isDryRun, json: isJson, ...input }) => {
    const { measureRegistry } = await import('../matrix/measure-registry.ts');
    const { counts, problems } = await measureRegistry({ ...input, builds, isDryRun });
    for (const error of problems) console.error(formatError(error));
    const { measured, failed, kept, left } = counts;
    const unmeasured = isDryRun ? 'to be measured' : 'left for the next run';
    const line = `rows: ${measured} measured, of which ${failed} failed; ${kept} kept, ${left} ${unmeasured}`;
    console.log(isJson ? JSON.stringify({ ok: problems.length === 0, ...counts }) : line);
    return problems.length === 0 ? 0 : 1;
  },
});
