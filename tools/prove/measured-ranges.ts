/** The part of docs/compatibility.md about measured ranges, which it writes as a program (`npm run matrix:page`): what `npm run matrix` has written under `signals/stackyard/`. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from '../../format/document/document.ts';
import { Manifest } from '../../format/build/manifest.ts';
import type { MatrixRow, MeasuredVersion } from '../../format/index/compatibility.ts';
import {
  STEP_NAMES,
  failureText,
  knownGood,
  rangesOf,
  type KnownGood,
} from '../../format/index/known-good.ts';
import { readMatrix } from '../../generator/matrix/matrix-rows.ts';

const TITLE = '## Measured ranges';

/** The section, without a line break at its end. @param root the top folder of the repository */
export function measuredRanges(root: string): string {
  const names = readdirSync(join(root, 'builds/stackyard'), { withFileTypes: true });
  const parts = names
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `stackyard/${name}`)
    .sort()
    .flatMap((id) => {
      const [newest] = readMatrix(root, id).versions;
      return newest === undefined ? [] : [formatBuild(id, newest, manifestOf(root, id))];
    });
  return `${TITLE}

Written by \`npm run matrix:page\` from what \`npm run matrix\` has measured ([matrix.md](matrix.md)): one version varies, the others are the
newest; what fails is tried with the lowest of the others. ${parts.length === 0 ? 'Nothing is measured yet.' : 'Every failure is listed.'}

${parts.join('\n\n')}`.trimEnd();
}

/** The page with the section: in place of the former one, or in front of the first section. */
export function withMeasuredRanges(page: string, section: string): string {
  const start = page.indexOf(`\n${TITLE}\n`);
  const from = start < 0 ? page.indexOf('\n## ') : start;
  const next = start < 0 ? from : page.indexOf('\n## ', start + 1);
  return `${page.slice(0, from)}\n${section}\n${page.slice(next)}`;
}

function manifestOf(root: string, id: string): Manifest {
  const path = join(root, 'builds', id, 'stackyard.json');
  return parseDocument(Manifest, readFileSync(path), path);
}

function formatBuild(
  id: string,
  { version, results }: MeasuredVersion,
  manifest: Manifest,
): string {
  const ranges = manifest.version === version ? rangesOf(manifest) : {};
  const rows = knownGood(results).map((one) => formatTag(one, ranges[one.tag] ?? ''));
  const failures = results.filter(({ outcome }) => outcome === 'failed').map(formatFailure);
  const days = results.map(({ date }) => date).sort();
  const when = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
  return [
    `### \`${id}\` ${version}, ${when}\n`,
    '| Name | Range | Last known good | First known bad | Measured |',
    '|---|---|---|---|---|',
    ...rows,
    ...(failures.length === 0 ? [] : ['', ...failures]),
  ].join('\n');
}

function formatTag(
  { tag, lastGood, firstBad, badBelow, outcomes }: KnownGood,
  range: string,
): string {
  const bad = [firstBad, badBelow].flatMap((found) => found?.version ?? []);
  const measured = outcomes.map(({ version, isGood, needsLowest }) => {
    return `${version} ${isGood ? (needsLowest ? 'good with the lowest' : 'good') : 'failed'}`;
  });
  const cells = [
    `\`${tag}\``,
    range === '' ? '' : `\`${range}\``,
    lastGood ?? 'none',
    bad.length === 0 ? 'none' : bad.join(', '),
    measured.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatFailure(row: MatrixRow): string {
  const { tag, version, others, step } = row;
  const text = failureText(row).slice(STEP_NAMES[step ?? 'add'].length + 2);
  const place = step === undefined ? '' : STEP_NAMES[step];
  return `- \`${tag}\` ${version} with the ${others} of the others fails at ${place}: \`${text.replaceAll('`', "'")}\``;
}

if (import.meta.main) {
  const page = join(import.meta.dirname, '../../docs/compatibility.md');
  const root = join(import.meta.dirname, '../..');
  writeFileSync(page, withMeasuredRanges(readFileSync(page, 'utf8'), measuredRanges(root)));
}
