/** `check`: what the registry will say about a build, before it is published. */
import { relative, resolve, sep } from 'node:path';
import type { Finding } from '../../format/finding/finding.ts';
import { publishFinding } from '../../format/finding/finding.ts';
import { qualityOf } from '../../examine/quality.ts';
import { riskOf } from '../../examine/risk.ts';
import { examineBuild } from '../../examine/examine-build.ts';
import { readFolder } from '../check/read-folder.ts';
import { reportLines } from '../check/finding-lines.ts';
import { sarifLog } from '../check/sarif-log.ts';
import { findWorkspaceRoot } from '../project/workspace-root.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../operation/command.ts';
import { sayWarnings } from '../operation/run-packages.ts';

interface CheckOptions extends GlobalOptions {
  readonly sarif: boolean;
}

/**
 * Validates and checks the build in `folder` as the registry does.
 * @throws {ClientError} `ERR_NO_PROJECT`, `ERR_PROJECT_FILE`
 */
export async function checkBuild(
  folder: string,
  options: CheckOptions,
  version: string,
  context: CommandContext,
): Promise<Outcome> {
  const root = resolve(options.cwd, folder);
  const { owner, name, source, notes } = await readFolder(root);
  const { valid, findings, isPublishable } = examineBuild({ owner, name, source });
  const isValid = valid !== undefined;
  const status = isPublishable ? 'done' : 'different';
  const score = isValid ? { risk: riskOf(findings), quality: qualityOf(findings) } : {};
  const data = {
    build: `${owner}/${name}`,
    publishable: isPublishable,
    ...score,
    findings: findings.map(placedFinding),
  };
  const warnings = notes.map((message) => ({ code: 'left-out', message, path: '' }));
  sayWarnings({ warnings }, context);
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
  const verdict = isValid
    ? `risk ${riskOf(findings)}, quality ${qualityOf(findings)}`
    : 'not checked: the build is not valid';
  const text = [
    ...reportLines(findings, source),
    `${owner}/${name}: ${verdict}; ${counts.join(', ')}`,
  ];
  return { status, data, warnings, text };
}

/** A finding as programs get it. */
export function placedFinding(found: Finding): object {
  return { ...publishFinding(found), ...(found.place === undefined ? {} : { place: found.place }) };
}
