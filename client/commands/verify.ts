/** `verify`: compares the installed files; with `--guides` it also runs the checks of the guides. Made for CI. */
import { z } from 'zod';
import { define, flag } from '../terminal/options.ts';
import type { Lock } from '../../format/project/lock.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { withCached } from '../registry/open-registry.ts';
import { readGuides, runExpectations, runGuideChecks } from '../prove/run-guide.ts';
import { chooseProject } from '../project/choose-project.ts';
import { requireLock } from '../project/project.ts';
import { span } from '../terminal/styled-text.ts';
import { verify } from '../change/verify-files.ts';

interface GuidesRun {
  readonly commands: readonly { readonly command: string; readonly status: number }[];
  readonly status: number;
  readonly notes: readonly string[];
}

/** The exit status is that of the checks. @throws {ClientError} `ERR_LOCK`, and those of the registry */
async function verifyWithGuides(
  options: GlobalOptions,
  isStrict: boolean,
  context: CommandContext,
): Promise<Outcome> {
  const project = chooseProject(options);
  const lock = requireLock(project);
  const verified = await verify(options, context, isStrict);
  const builds = Object.entries(lock.builds).flatMap(([id, { source }]) => {
    return source === undefined && !verified.differing.has(id) ? [id] : [];
  });
  const run = await runGuides(project, lock, builds, options, context);
  const warnings = run.notes.map((message) => ({ code: 'not-tested', message, path: '' }));
  const { commands, status } = run;
  const ended = commands.map(({ command, status: of }) => {
    return [command, '  ', of === 0 ? span('good', 'passed') : span('bad', `status ${of}`)];
  });
  return {
    ...verified,
    ...(status === 0 ? {} : { status: 'different', exitStatus: status }),
    data: { ...verified.data, tests: commands },
    warnings: [...(verified.warnings ?? []), ...warnings],
    text: [...verified.text, ...ended],
  };
}

async function runGuides(
  project: string,
  lock: Lock,
  builds: readonly string[],
  options: GlobalOptions,
  context: CommandContext,
): Promise<GuidesRun> {
  const installed = Object.entries(lock.builds).filter(([id]) => builds.includes(id));
  const guides = await withCached(options, lock, context, (registry) =>
    readGuides(registry, installed),
  );
  const commands: { command: string; status: number }[] = [];
  const notes: string[] = [];
  for (const [build, guide = ''] of guides) {
    const checked = await runGuideChecks(project, build, guide, context);
    const { kind, wiring } = lock.builds[build]!;
    // Where people followed the steps by hand, the routes may be elsewhere.
    const isWired = kind === 'foundation' || wiring !== undefined;
    const answered = isWired ? await runExpectations(project, build, guide, context) : [];
    const ran = [...checked, ...answered];
    if (ran.length === 0) notes.push(`The guide of "${build}" has no command that runs by itself`);
    commands.push(...ran);
  }
  return { commands, status: commands.find(({ status }) => status !== 0)?.status ?? 0, notes };
}

export const command = define({
  description:
    'Compares the files of installed builds with stackyard.lock.json, for CI; exit status 10 when some are missing, are no files or have open conflicts. Your edits are no fault. With --guides it also runs commands, and the exit status is theirs where one fails',
  input: z.object({
    strict: flag('edits are a fault as well'),
    guides: flag('also run the Verify commands of the guides of builds'),
  }),
  output: z.looseObject({
    builds: z.int(),
    files: z.int(),
    differences: z.array(
      z.looseObject({
        build: z.string(),
        path: z.string(),
        state: z
          .string()
          .describe('"missing", "not-a-file", "conflict"; no fault: "modified", "unwired".'),
        why: z.string().optional().describe('Why it was compared by its bytes alone.'),
      }),
    ),
    moved: z
      .array(z.looseObject({ build: z.string(), path: z.string(), to: z.string() }))
      .optional()
      .describe('Files that the user moved: they are compared at their new place.'),
    reformatted: z
      .array(z.looseObject({ build: z.string(), path: z.string() }))
      .optional()
      .describe('Files that differ only in their formatting: they count as unmodified.'),
    tests: z
      .array(z.strictObject({ command: z.string(), status: z.int() }))
      .optional()
      .describe('What ran, with --guides.'),
  }),
  examples: ['verify -C my-app --json'],
  run: ({ guides, strict }, shared, context) =>
    guides ? verifyWithGuides(shared, strict, context) : verify(shared, context, strict),
});
