/**
 * Measures the checks on the sets of `bench/eval-sets.json`. Nobody may change a rule because of the opened set: it is read once
 * for a release, and its outcome is noted whatever it is.
 *
 *     npm run eval:checks                                                 prints the noted outcomes, in Markdown
 *     npm run eval:checks -- --sets <git directories> --cache <folder> [--set second]    measures a set for developing with and
 *         without each layer, prints what was wrong, and notes the layers
 *     npm run eval:checks -- --sets <git directories> --cache <folder> --open    measures the newest set, and notes the outcome
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fastGlob from 'fast-glob';
import { findingGroup, type Finding } from '../format/finding/finding.ts';
import type { Manifest } from '../format/build/manifest.ts';
import { allRules } from '../scan/rules/all.ts';
import type { BuildFile, ScannedBuild } from '../scan/scanned-file.ts';
import { openBuild } from '../scan/open-build.ts';
import { addUp, riskOf } from '../scan/risk.ts';
import { findingsOf } from '../scan/scan.ts';
import { splitSections } from '../tests/file-sections.ts';
import { checkDraw, drawSet, notedSets, unpackCase, type SetName } from './eval-sets.ts';
import { readPackage } from './package-files.ts';

const MANIFEST: Manifest = {
  name: 'x',
  version: '1.0.0',
  kind: 'module',
  description: 'x',
  license: 'MIT',
};

/** How many cases of a set have each risk. */
interface Outcome {
  readonly date: string;
  readonly set: SetName;
  /** The version of the rules. */
  readonly commit: string;
  readonly malicious: Counts;
  readonly benign: Counts;
  /** How many are found or reported by these checks or by GuardDog, of those that it was asked about. */
  readonly both?: { readonly malicious: number; readonly benign: number; readonly asked: number };
}

interface Noted {
  readonly measured: readonly Outcome[];
  /** For each layer, how many malicious and benign cases are above `ok` without it, and how many benign ones at `danger`. */
  readonly without: Readonly<Record<string, Layers>>;
  /** Of which kind the misses of a set are. */
  readonly missed: Readonly<Record<string, readonly Missed[]>>;
  /** The same of benign cases that were above `ok`. */
  readonly reported: Readonly<Record<string, readonly Missed[]>>;
}

interface Missed {
  readonly cause: string;
  readonly packages: number;
  readonly rule: string;
}

type Layers = Readonly<
  Record<string, { malicious: number; benign: number; danger: number; cases: number }>
>;

/** What is left of the findings without a layer. */
const LAYERS: Readonly<Record<string, RegExp>> = {
  'decoding and obfuscation':
    /^(?:decode-execute|spelled-code|obfuscated-code|install-time-hidden|shell-fetch-decode)/,
  'data that is sent': /^(?:data-exfiltration|credential-theft|dns-exfiltration|metadata-cred)/,
  'code from the network': /^remote-code|^shell-fetch-run/,
  hosts: /^suspicious-host/,
  'what starts by itself': /^(?:auto-run|install-time|persistence)/,
  'shell text': /^shell-fetch|^reverse-shell/,
  'names and sources of packages': /^dependency-/,
  'files that nobody reads': /^(?:binary|archive|disguised)-file|^compiled-cache|^secret/,
  'hidden text': /^hidden-text/,
  'text for agents': /^agent-/,
};

type Counts = Record<'danger' | 'caution' | 'ok', number>;

const OUTCOMES = join(import.meta.dirname, 'eval-outcomes.json');

function measure(
  set: SetName,
  mirrors: string,
  cache: string,
  hasLayers: boolean,
): Pick<Outcome, 'malicious' | 'benign'> & { readonly layers: Layers } {
  const cases = drawSet(notedSets(), set, mirrors);
  checkDraw(notedSets(), set, cases);
  const counts = (): Counts => ({ danger: 0, caution: 0, ok: 0 });
  const layers: Record<string, Layers[string]> = {};
  const outcome = { malicious: counts(), benign: counts() };
  for (const one of cases) {
    const { files } = readPackage(unpackCase(one, mirrors, cache));
    if (files.length === 0) continue;
    const build = openBuild({ id: 'eval/x', manifest: MANIFEST, files });
    const each = findingsOf(build, allRules);
    const findings = addUp(each);
    const risk = riskOf(findings);
    for (const [layer, left] of hasLayers ? withoutLayers(build, each) : []) {
      const count = (layers[layer] ??= { malicious: 0, benign: 0, danger: 0, cases: 0 });
      const riskLeft = riskOf(left);
      count.cases += 1;
      if (riskLeft !== 'ok') count[one.isMalicious ? 'malicious' : 'benign'] += 1;
      if (riskLeft === 'danger' && !one.isMalicious) count.danger += 1;
    }
    outcome[one.isMalicious ? 'malicious' : 'benign'][risk] += 1;
    const codes = findings.filter((f) => findingGroup(f) === 'safety' && f.level !== 'info');
    if (one.isMalicious === (risk === 'ok'))
      console.log(risk, one.name, ...new Set(codes.map(({ code, level }) => `${level} ${code}`)));
  }
  return { ...outcome, layers };
}

function* withoutLayers(
  build: ScannedBuild,
  each: readonly Finding[],
): Generator<[layer: string, left: readonly Finding[]]> {
  yield ['nothing', addUp(each)];
  const blind = Object.create(build, {
    taint: { value: { ...build.taint, facts: [], texts: [] } },
  });
  // Without data flow nothing is added: what has no finding needs no second scan.
  const rest = riskOf(each) === 'ok' ? each : findingsOf(blind as ScannedBuild, allRules);
  yield ['data flow', addUp(rest)];
  yield ['the sum: the worst single finding decides', each];
  for (const [layer, codes] of Object.entries(LAYERS))
    yield [layer, addUp(each.filter(({ code }) => !codes.test(code)))];
}

/** A share with its 95 % interval (E. B. Wilson, 1927). */
function share(part: number, whole: number): string {
  const z = 1.96;
  const p = part / whole;
  const middle = p + z ** 2 / (2 * whole);
  const half = z * Math.sqrt((p * (1 - p)) / whole + z ** 2 / (4 * whole ** 2));
  const [low, high] = [middle - half, middle + half].map((one) => one / (1 + z ** 2 / whole));
  const percent = (one = 0): string => (100 * Math.min(1, Math.max(0, one))).toFixed(1);
  return `${part} of ${whole}: ${percent(p)} % (${percent(low)} to ${percent(high)})`;
}

function page({ measured, without, missed, reported }: Noted): string {
  const { seed, date, drawn, benign, second, third, fourth } = notedSets();
  const rows = measured.map(({ malicious, benign: others, ...one }) => {
    const [bad, good] = [malicious, others].map((c) => c.danger + c.caution + c.ok) as [
      number,
      number,
    ];
    const cells = [
      one.set,
      one.date,
      one.commit.slice(0, 8),
      share(malicious.danger + malicious.caution, bad),
      share(others.danger, good),
      share(others.caution, good),
      one.both === undefined
        ? 'not measured'
        : `${share(one.both.malicious, bad)}; benign ${share(one.both.benign, one.both.asked)}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# Evaluation of the checks',
    '',
    '<!-- Made by bench/eval-checks.ts (npm run eval:checks): do not edit. -->',
    '',
    `The sets were drawn on ${date}, before rules were changed for them, with the seed \`${seed}\`: 300 packages each of a public`,
    `collection of malware of PyPI, and ${benign.developing.length} and ${benign.opened.length} public repositories, each as a whole and by up to 20 of its folders.`,
    '`bench/eval-sets.json` notes repositories, commits and digests. Rules are changed for the developing set only; the other one is',
    'opened once for a release. The collection holds many variants of few campaigns, and no package of npm.',
    '',
    `The second set was drawn on ${second.date} with the seed \`${second.seed}\`, after the rules of its measurement were committed: 300 other`,
    `packages of that collection, 7 of a small one of npm, and ${second.benign.length} other repositories. Since the first set was opened, rules are changed for it, too.`,
    'A collection that developers had seen is not in it. Archives that the copy of a collection is without, because of their size, are left out. Of its 272',
    'benign cases 271 were measured, in the order of the draw: the time did not suffice for the rest.',
    '',
    `The third set was drawn on ${third.date} with the seed \`${third.seed}\`, after the rules of its measurement were committed: 300 packages of the`,
    `collection that no other set has, 16 projects of a collection of repositories that were sent to applicants, and ${third.benign.length} repositories of a list of 296 names (web`,
    'frameworks, tools, data science, containers, agents, actions, templates) that was written before, in the order of the seed; those that could not be had, or are over 500 MB, are left out.',
    'It was measured again when other changes, whose authors did not know it, were merged. Since then rules are changed for it, too.',
    '',
    `The fourth set was drawn on ${fourth.date} with the seed \`${fourth.seed}\`, while the rules of its measurement were written by others, who did not know it: 300`,
    `packages of the collection that no other set has, ${fourth.malicious.length} public repositories of attacks in JavaScript (stealers of tokens, a backdoor, a worm), and ${fourth.benign.length} repositories:`,
    'the first 142 of a list of 676 names that was written before (libraries, frameworks, tools, data science, courses, containers, agents, actions, templates, installers, tools of security), in the',
    'order of the seed; those that could not be had, or are over 300 MB, are left out.',
    '',
    `Digests: developing \`${drawn['developing']?.digest}\`, opened \`${drawn['opened']?.digest}\`, second \`${drawn['second']?.digest}\`, third \`${drawn['third']?.digest}\`, fourth \`${drawn['fourth']?.digest}\`.`,
    '',
    'The second witness is GuardDog 3.2: it was asked about what these checks did not find, and about benign cases in the order of a seed, as many as the time sufficed for.',
    'Found means `caution` or `danger`. Intervals are 95 % (Wilson).',
    '',
    '| Set | Measured | Rules | Malicious found | Benign at danger | Benign at caution | With the second witness |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '## What each layer adds',
    '',
    'Found and reported (above `ok`, in parentheses at `danger`) without one layer, before any rule was changed for the third set. A layer that changes nothing here may still find what no case of these sets has.',
    '',
    `| Without | ${Object.keys(without)
      .map((set) => `${set}: malicious | ${set}: benign`)
      .join(' | ')} |`,
    `|---|${'---|---|'.repeat(Object.keys(without).length)}`,
    ...Object.keys(Object.values(without)[0] ?? {}).map(
      (layer) =>
        `| ${layer} | ${Object.values(without)
          .map((set) => set[layer])
          .map((one) => (one ? `${one.malicious} | ${one.benign} (${one.danger})` : '- | -'))
          .join(' | ')} |`,
    ),
    '',
    '## What was missed',
    '',
    ...Object.entries(missed).flatMap(([set, causes]) => [
      `| Misses of the ${set} set | Packages | A rule for it |`,
      '|---|---:|---|',
      ...causes.map(({ cause, packages, rule }) => `| ${cause} | ${packages} | ${rule} |`),
      '',
    ]),
    '## What was reported by mistake',
    '',
    ...Object.entries(reported).flatMap(([set, causes]) => [
      `| Benign cases of the ${set} set, before any rule was changed for it | Cases | How to mend it |`,
      '|---|---:|---|',
      ...causes.map(({ cause, packages, rule }) => `| ${cause} | ${packages} | ${rule} |`),
      '',
    ]),
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      sets: { type: 'string' },
      cache: { type: 'string' },
      set: { type: 'string', default: 'developing' },
      open: { type: 'boolean' },
    },
  });
  const noted = JSON.parse(readFileSync(OUTCOMES, 'utf8')) as Noted;
  if (values.sets !== undefined && values.cache !== undefined) {
    const set = values.open === true ? 'fourth' : (values.set as SetName);
    const { layers, ...outcome } = measure(set, values.sets, values.cache, values.open !== true);
    const date = new Date().toISOString().slice(0, 10);
    console.log(JSON.stringify(outcome));
    const next =
      values.open === true
        ? { measured: [...noted.measured, { date, set, commit: 'to be noted', ...outcome }] }
        : { without: { ...noted.without, [set]: layers } };
    writeFileSync(OUTCOMES, `${JSON.stringify({ ...noted, ...next }, null, 2)}\n`);
  } else console.log(page(noted));
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
