/** `unwire`: takes the carried out steps of builds out of the project's own code; the builds stay. */
import { z } from 'zod';
import { ChangeOutput } from '../plan/plan.ts';
import { installedIds } from '../registry/short-ids.ts';
import { define, dryRun, someBuilds } from '../terminal/options.ts';
import { unwire } from '../change/wire-installed.ts';

export const command = define({
  description:
    'Takes out what was wired into your files for installed builds; what you edited since stays',
  input: z.object({ builds: someBuilds('<owner>/<name> of installed builds'), dryRun }),
  output: ChangeOutput,
  examples: ['unwire stackyard/account -C my-app --dry-run'],
  run: ({ builds, ...input }, shared, context) => {
    const options = { ...shared, ...input, install: false };
    return unwire(installedIds(builds, options, context), options, context);
  },
});
