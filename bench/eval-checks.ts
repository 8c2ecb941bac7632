/**
 * Measures how well the checks separate malicious from benign code, with the cases in `tests/corpus/` and the
 * packages installed in `node_modules`. Writes the tables of `docs/checks-evaluation.md`; `--print` only prints what
 * was missed.
 *
 *     npm run eval:checks
 *
 * A case is found when its risk is `caution` or `danger`. A benign case that is found is a false positive.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { findingGroup, findingMessage, type Finding } from '../format/finding/finding.ts';
import type { Manifest } from '../format/build/manifest.ts';
import type { Risk } from '../format/index/record.ts';
import { allRules } from '../scan/rules/all.ts';
import type { BuildFile } from '../scan/scanned-file.ts';
import { openBuild } from '../scan/open-build.ts';
import { riskOf } from '../scan/risk.ts';
import { scan } from '../scan/scan.ts';
import { runUpdate } from '../tools/generated-file.ts';
import { splitSections } from '../tests/file-sections.ts';

const ROOT = join(import.meta.dirname, '..');
const MANIFEST: Manifest = {
  name: 'x',
  version: '1.0.0',
  kind: 'module',
  description: 'x',
  license: 'MIT',
};

interface Judged {
  readonly name: string;
  readonly family: string;
  readonly risk: Risk;
  readonly findings: readonly Finding[];
}

function judge(name: string, files: readonly BuildFile[]): Judged {
  const findings = scan(openBuild({ id: 'eval/x', manifest: MANIFEST, files }), allRules).filter(
    (found) => findingGroup(found) === 'safety',
  );
  return { name, family: name.split('/', 1)[0] ?? name, risk: riskOf(findings), findings };
}

/** The packages below `node_modules`, each with only its own files. */
function* packages(): Generator<Judged> {
  const root = join(ROOT, 'node_modules');
  for (const manifest of fastGlob.sync('{*,@*/*}/package.json', { cwd: root }).sort()) {
    const name = manifest.replace('/package.json', '');
    const paths = fastGlob.sync('**/*', {
      cwd: join(root, name),
      dot: true,
      ignore: ['**/node_modules/**'],
      followSymbolicLinks: false,
    });
    yield judge(
      name,
      paths
        .sort()
        .map((path) => ({ path, bytes: readFileSync(join(root, name, path)), executable: false })),
    );
  }
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function familyTable(cases: readonly Judged[]): string[] {
  const families = [...new Set(cases.map(({ family }) => family))].sort();
  return [...families, ''].map((family) => {
    const of = family === '' ? cases : cases.filter((one) => one.family === family);
    const count = (risk: Risk): number => of.filter((one) => one.risk === risk).length;
    return row(
      family === '' ? 'all' : family,
      of.length,
      count('danger'),
      count('caution'),
      count('ok'),
      percent(of.length - count('ok'), of.length),
    );
  });
}

function checkTable(
  malicious: readonly Judged[],
  benign: readonly Judged[],
  real: readonly Judged[],
): string[] {
  const hasFinding = (one: Judged, name: string): boolean =>
    one.findings.some(({ level, code }) => level !== 'info' && nameOf(code) === name);
  const names = allRules
    .map(({ name }) => name)
    .filter((name) => [...malicious, ...benign, ...real].some((one) => hasFinding(one, name)));
  return names.map((name) => {
    const count = (cases: readonly Judged[]): number =>
      cases.filter((one) => hasFinding(one, name)).length;
    return row(`\`${name}\``, count(malicious), count(benign), count(real));
  });
}

/** The check that a code comes from: the longest name that it begins with. */
function nameOf(code: string): string {
  const names = allRules
    .map(({ name }) => name)
    .filter((name) => code === name || code.startsWith(`${name}-`));
  return names.sort((a, b) => b.length - a.length)[0] ?? code;
}

function page(
  malicious: readonly Judged[],
  benign: readonly Judged[],
  real: readonly Judged[],
): string {
  const falsePositives = [...benign, ...real].filter(({ risk }) => risk !== 'ok');
  const missed = malicious.filter(({ risk }) => risk === 'ok');
  return [
    '# Evaluation of the checks',
    '',
    '<!-- Made by bench/eval-checks.ts (npm run eval:checks): do not edit. -->',
    '',
    'The malicious cases in `tests/corpus/malicious/` follow published techniques, with hosts that do not exist.',
    'The authors of the checks wrote them: recall on them shows that no technique was forgotten, not how many packages',
    'of others would be found. Of the last sixty, 75 % were found before the checks were improved for them. The benign cases',
    'look suspicious but are not malicious. The real packages are those',
    'installed in `node_modules`, each scanned as a build.',
    '',
    'Found means risk `caution` or `danger`.',
    '',
    '## Malicious cases',
    '',
    row('Family', 'Cases', 'danger', 'caution', 'ok', 'Found'),
    '|---|---:|---:|---:|---:|---:|',
    ...familyTable(malicious),
    '',
    '## Benign cases',
    '',
    row('Set', 'Cases', 'danger', 'caution', 'ok', 'Reported'),
    '|---|---:|---:|---:|---:|---:|',
    ...familyTable(benign)
      .slice(-1)
      .map((line) => line.replace('all', 'tests/corpus/benign')),
    ...familyTable(real)
      .slice(-1)
      .map((line) => line.replace('all', 'node_modules')),
    '',
    '## By check',
    '',
    'Cases with a finding of the check at `warn` or `error`. Several checks may report one case.',
    '',
    row('Check', 'Malicious', 'Benign', 'Real packages'),
    '|---|---:|---:|---:|',
    ...checkTable(malicious, benign, real),
    '',
    ...list('Missed', missed),
    ...list('False positives', falsePositives),
  ].join('\n');
}

function list(title: string, cases: readonly Judged[]): string[] {
  if (cases.length === 0) return [`## ${title}`, '', 'None.', ''];
  return [
    `## ${title}`,
    '',
    ...cases.map(
      (one) =>
        `- ${one.name} (${one.risk}): ${[...new Set(one.findings.filter(({ level }) => level !== 'info').map(({ code }) => `\`${code}\``))].join(', ') || 'no finding'}`,
    ),
    '',
  ];
}

if (import.meta.main) {
  const [malicious, benign] = ['malicious', 'benign'].map((set) =>
    readCorpus(join(ROOT, 'tests/corpus', set)).map(({ name, files }) => judge(name, files)),
  );
  const real = [...packages()];
  if (malicious === undefined || benign === undefined || readdirSync(ROOT).length === 0)
    throw new Error('No corpus');
  if (process.argv.includes('--print')) {
    for (const one of [...benign, ...real]) {
      for (const found of one.findings.filter(({ level }) => level !== 'info'))
        console.log(
          one.name,
          found.level,
          found.code,
          found.file,
          found.place?.line ?? '',
          findingMessage(found),
        );
    }
    for (const { name } of malicious.filter(({ risk }) => risk === 'ok'))
      console.log('missed', name);
  } else {
    runUpdate(
      [{ path: 'docs/checks-evaluation.md', text: page(malicious, benign, real) }],
      'npm run eval:checks',
    );
  }
  const found = malicious.filter(({ risk }) => risk !== 'ok').length;
  const cautions = real.filter(({ risk }) => risk === 'caution').length;
  const dangers = [...benign, ...real].filter(({ risk }) => risk === 'danger').length;
  console.log(
    `malicious found: ${percent(found, malicious.length)} of ${malicious.length}; real packages at caution: ${percent(cautions, real.length)} of ${real.length}; benign at danger: ${dangers}`,
  );
  if (found < 0.95 * malicious.length || cautions > 0.03 * real.length || dangers > 0)
    process.exitCode = 1;
}

/**
 * Reads the cases of `tests/corpus/`: one text file each (`tests/file-sections.ts`), so that nothing in the
 * repository can be run or scanned by mistake.
 *
 *     -- package.json --
 *     { "name": "x" }
 *     -- bin/tool (base64) --
 *     f0VMRg==
 *
 * The cases use hosts under `.example` and addresses in the ranges for documentation, which do not exist. The checks
 * ignore such examples, so each is replaced by a host that could be real.
 */
interface CorpusCase {
  /** `<family>/<name>` */
  readonly name: string;
  readonly files: readonly BuildFile[];
}

/** The cases below the folder `root`, sorted by name. */
export function readCorpus(root: string): CorpusCase[] {
  return fastGlob
    .sync('**/*.txtar', { cwd: root })
    .sort()
    .map((path) => {
      const files = parseCase(readFileSync(join(root, path), 'utf8'));
      if (files.length === 0) throw new Error(`${path} holds no file`);
      return { name: path.replace(/\.txtar$/, ''), files };
    });
}

function parseCase(text: string): BuildFile[] {
  const files = splitSections(text).sections.map(({ path, marks, body }) => {
    const encoding = marks.includes('base64') ? 'base64' : 'utf8';
    return { path, bytes: Buffer.from(withHosts(body), encoding), executable: false };
  });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Replaces examples by hosts that could be real: the addresses are in the benchmark range, which no network routes. */
function withHosts(text: string): string {
  return text
    .replaceAll(/(?<=[\w-])\.example\b/g, '.host-of-nobody.io')
    .replaceAll(/\b(?:192\.0\.2|198\.51\.100|203\.0\.113)(?=\.\d)/g, '198.18.7');
}
