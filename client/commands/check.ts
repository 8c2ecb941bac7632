/** `check`: reports what the registry will report about a build, before it is published. */
import { z } from 'zod';
import { define, Findings } from './options.ts';
import { VERSION } from '../version.ts';
import { relative, resolve, sep } from 'node:path';
import { examineFolder } from '../check/examine-folder.ts';
import { externalFindings, externalLines } from '../check/external-findings.ts';
import { findingLines, placedFinding } from '../check/finding-lines.ts';
import { sarifLog } from '../check/sarif-log.ts';
import { findWorkspaceRoot } from '../project/workspace-root.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { nextLine, printWarnings } from '../terminal/command.ts';
import type { NextStep } from '../output-schema/envelope.ts';

const Input = z.object({
  folder: z
    .string()
    .default('.')
    .meta({ description: 'the folder of the build', isArgument: true }),
  sarif: z
    .boolean()
    .default(false)
    .meta({ description: 'print the findings as SARIF 2.1.0, for code hosts' }),
  with: z.string().optional().meta({
    description: 'add the findings of another scanner, from its SARIF 2.1.0',
    placeholder: 'file',
  }),
});

interface CheckOptions extends GlobalOptions {
  readonly sarif: boolean;
  /** File with the SARIF log of another scanner. */
  readonly with?: string | undefined;
}

/**
 * Validates and checks the build in `folder` as the registry does.
 * @throws {ClientError} `ERR_NO_PROJECT`, `ERR_PROJECT_FILE`, `ERR_USAGE`
 */
export async function checkBuild(
  folder: string,
  options: CheckOptions,
  version: string,
  context: CommandContext,
): Promise<Outcome> {
  const root = resolve(options.cwd, folder);
  const { owner, name, source, valid, findings, isPublishable, warnings } =
    await examineFolder(root);
  const external =
    options.with === undefined
      ? undefined
      : externalFindings(root, resolve(options.cwd, options.with), source, options.cwd);
  const status = isPublishable ? 'done' : 'different';
  const score = valid === undefined ? {} : { risk: valid.risk, quality: valid.quality };
  const data = {
    build: `${owner}/${name}`,
    publishable: isPublishable,
    ...score,
    findings: findings.map(placedFinding),
    ...(external === undefined ? {} : { external: external.findings }),
  };
  printWarnings({ warnings }, context);
  if (options.sarif) {
    const log = sarifLog(
      findings,
      version,
      relative(findWorkspaceRoot(root), root).split(sep).join('/'),
    );
    return { status, data, warnings, text: [JSON.stringify(log, null, 2)] };
  }
  const counts = (['error', 'warn', 'info'] as const).map(
    (level) => `${level} ${findings.filter((f) => f.level === level).length}`,
  );
  const verdict =
    valid === undefined
      ? 'not checked: the build is not valid'
      : `risk ${valid.risk}, quality ${valid.quality}`;
  const text = [
    ...findingLines(findings, source),
    ...(external === undefined ? [] : externalLines(external)),
    `${owner}/${name}: ${verdict}; ${counts.join(', ')}`,
  ];
  const next = isPublishable ? [tryIt(root)] : [];
  text.push(...next.map(nextLine));
  return { status, data, warnings, next, text };
}

/** In a project of the user, not in the one that the build is made from. */
function tryIt(root: string): NextStep {
  const why = 'tries the build in a project before it is published';
  const path = relative('.', root);
  const place = path === '' ? '.' : path.startsWith('..') ? path : `./${path}`;
  return { command: `stackyard add ${quoted(place)} -C <project>`, why };
}

/** For a shell, where the path needs it. */
function quoted(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

export const command = define({
  description:
    'Validates and checks the build in a folder as the registry does; exit status 10 when it cannot be published',
  input: Input,
  output: z.looseObject({
    build: z.string(),
    publishable: z.boolean(),
    risk: z.string().optional().describe('Absent when the build is not valid.'),
    quality: z.int().optional(),
    findings: Findings,
    external: z
      .array(z.looseObject({ scanner: z.string(), rule: z.string(), path: z.string() }))
      .optional()
      .describe('Of another scanner, with --with.'),
  }),
  examples: ['check builds/alice/dates'],
  run: ({ folder, ...input }, shared, context) =>
    checkBuild(folder, { ...shared, ...input }, VERSION, context),
});
