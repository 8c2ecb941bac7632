/** `check`: reports what the registry will report about a build, before it is published. */
import { relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { define, Findings, flag, folder } from '../terminal/options.ts';
import { VERSION } from '../program.ts';
import { examineFolder } from '../project/build-folder.ts';
import { findingLines, placedFinding } from '../terminal/finding-lines.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import { nextLine, type GlobalOptions, type Outcome } from '../terminal/command.ts';
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

const Input = z.object({
  folder,
  sarif: flag('print the findings as SARIF 2.1.0, for code hosts'),
});

interface CheckOptions extends GlobalOptions {
  readonly sarif: boolean;
}

/**
 * Validates and checks the build in `folder` as the registry does.
 * @throws {ClientError} `ERR_NO_PROJECT`, `ERR_PROJECT_FILE`, `ERR_USAGE`
 */
export async function checkBuild(
  folder: string,
  options: CheckOptions,
  version: string,
): Promise<Outcome> {
  const root = resolve(options.cwd, folder);
  const { owner, name, source, valid, findings, isPublishable, warnings } =
    await examineFolder(root);
  const status = isPublishable ? 'done' : 'different';
  const score = valid === undefined ? {} : { risk: valid.risk, quality: valid.quality };
  const data = {
    build: `${owner}/${name}`,
    publishable: isPublishable,
    ...score,
    findings: findings.map(placedFinding),
  };
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
  }),
  examples: ['check builds/alice/dates'],
  run: ({ folder, ...input }, shared) => checkBuild(folder, { ...shared, ...input }, VERSION),
});
