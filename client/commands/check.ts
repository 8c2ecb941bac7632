/** `check`: reports what the registry will report about a build, before it is published. */
import { relative, resolve, sep } from 'node:path';
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { define, Findings } from './options.ts';
import { VERSION } from '../program.ts';
import { examineFolder } from '../registry/build-folder.ts';
import { findingLines, placedFinding } from '../terminal/finding-lines.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import {
  nextLine,
  printWarnings,
  type CommandContext,
  type GlobalOptions,
  type Outcome,
} from '../terminal/command.ts';
import type { NextStep } from '../terminal/envelope.ts';
import { findingMessage, type Finding } from '../../format/finding/finding.ts';
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import { FINDING_TEXTS } from '../../format/finding/catalogue.ts';
import {
  sarifLog,
  type SarifLevel,
  type SarifResult,
  type SarifRule,
} from '../../format/document/sarif.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import {
  describeExternal,
  parseSarif,
  pathBelow,
  type ExternalFinding,
} from '../../format/registry/external-finding.ts';
import type { Source } from '../../scan/source.ts';
import { ClientError } from '../errors.ts';
import { oneLine } from '../terminal/printable.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';

const LEVELS: Readonly<Record<FindingLevel, SarifLevel>> = {
  error: 'error',
  warn: 'warning',
  info: 'note',
};

/** @param folder the build's folder within the repository, `''` for its root: the base of all paths */
function findingsLog(findings: readonly Finding[], version: string, folder: string): object {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const rules = codes.map((id): SarifRule => {
    const { why, remedy, level, group } = FINDING_TEXTS[id];
    return { id, level: LEVELS[level], why, remedy, tags: [group] };
  });
  const results = findings.map((found): SarifResult => {
    // One about the whole build is placed at its manifest, because code hosts require a file.
    const path = `${folder}/${found.file === '' ? 'stackyard.json' : found.file}`;
    const place = found.place === undefined ? {} : { place: found.place };
    const text = findingMessage(found);
    return { rule: found.code, level: LEVELS[found.level], text, path, ...place };
  });
  return sarifLog('stackyard', version, rules, results);
}

/** The findings of another scanner about the folder of a build, from its SARIF log; they never change the verdict. */
interface ExternalFindings {
  /** About files of the build, with their paths within it. */
  readonly findings: readonly ExternalFinding[];
  /** How many are about other files. */
  readonly outside: number;
}

const MAX_LINES = 100;
const HINT = 'name the SARIF 2.1.0 log that the scanner wrote, of at most 5 MB';

/**
 * @param root absolute path of the build's folder; paths of the log begin there, at the root of the repository, or where the
 *   command runs
 * @param from absolute path of the folder where the command runs
 * @throws {ClientError} `ERR_USAGE` when the file is no SARIF log
 */
export function externalFindings(
  root: string,
  file: string,
  source: Source,
  from: string,
): ExternalFindings {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MAX_DOCUMENT_BYTES) {
    const problem = stats?.isFile() === true ? `it has ${stats.size} bytes` : 'it is not a file';
    throw new ClientError('ERR_USAGE', `Cannot read "${file}": ${problem}`, { hint: HINT });
  }
  const paths = new Set(source.files.map(({ path }) => path));
  const bases = [root, findWorkspaceRoot(root), from].map((base) => ({
    base,
    prefix: base === root ? '' : `${relative(base, root).split(sep).join('/')}/`,
  }));
  const all = parsed(file);
  const findings = all.flatMap((found) => {
    for (const { base, prefix } of bases) {
      const whole = pathBelow(base, found.path);
      const path = whole?.startsWith(prefix) === true ? whole.slice(prefix.length) : undefined;
      if (path !== undefined && paths.has(path)) return [{ ...found, path }];
    }
    return [];
  });
  return { findings, outside: all.length - findings.length };
}

/** Lines for people. */
export function externalLines({ findings, outside }: ExternalFindings): StyledText[] {
  const more = findings.length - MAX_LINES;
  return [
    [span('strong', 'external')],
    ...findings.slice(0, MAX_LINES).flatMap((found): StyledText[] => {
      const where = `  ${oneLine(found.path)}${found.line === 0 ? '' : `:${found.line}`}`;
      const role = found.level === 'warn' ? 'changed' : 'path';
      return [
        ['  ', span(role, found.level), span('path', where)],
        `      ${oneLine(describeExternal(found))}`,
      ];
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(outside > 0 ? [`  ${outside} about files that are not part of the build`] : []),
    ...(findings.length + outside === 0 ? ['  none'] : []),
    '',
  ];
}

function parsed(file: string): ExternalFinding[] {
  try {
    return parseSarif(readFileSync(file), `"${file}"`);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new ClientError('ERR_USAGE', cause.message, { hint: HINT, cause });
  }
}

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
    const log = findingsLog(
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
