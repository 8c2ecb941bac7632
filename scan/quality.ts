/** The quality of a build, 0 to 100: the sum of the documented criteria. A finding explains each lost point. */
import type { FindingCode } from '../format/finding/catalogue.ts';
import type { Finding } from '../format/finding/finding.ts';

interface Criterion {
  /** The name in `docs/checks.md`. */
  readonly name: string;
  readonly points: number;
  /** Codes of its findings: if any occurs, the points are lost, once. */
  readonly codes: readonly FindingCode[];
}

/** The criteria; `docs/checks.md` has the same table, and a test compares the two. */
export const CRITERIA: readonly Criterion[] = [
  {
    name: 'A README',
    points: 10,
    codes: ['guide-readme-missing', 'guide-readme-short', 'guide-readme-unfilled'],
  },
  {
    name: 'An example in the README',
    points: 6,
    codes: ['guide-readme-missing', 'guide-readme-example'],
  },
  {
    name: 'README or guide name what the code exports',
    points: 5,
    codes: ['guide-readme-missing', 'guide-exports'],
  },
  { name: 'An INTEGRATION guide', points: 8, codes: ['guide-integration-missing'] },
  {
    name: 'Its fixed headings',
    points: 3,
    codes: [
      'guide-integration-missing',
      'guide-integration-headings',
      'guide-integration-unfilled',
    ],
  },
  { name: 'It is of this version', points: 1, codes: ['guide-title'] },
  {
    name: 'Its steps name what is there',
    points: 4,
    codes: ['integration-step-file', 'integration-step-variable'],
  },
  {
    name: 'Its section Verify can be run',
    points: 4,
    codes: ['guide-integration-missing', 'guide-verify'],
  },
  {
    name: 'The text of the licence',
    points: 6,
    codes: ['license-file-missing', 'license-file-empty'],
  },
  {
    name: 'It is the licence that the manifest names',
    points: 4,
    codes: [
      'license-file-missing',
      'license-file-empty',
      'license-file-other',
      'license-file-unknown',
    ],
  },
  { name: 'Tests', points: 10, codes: ['workmanship-tests'] },
  {
    name: 'Tests in proportion to the code',
    points: 5,
    codes: ['workmanship-tests', 'workmanship-tests-few'],
  },
  { name: 'Types', points: 6, codes: ['workmanship-types'] },
  { name: 'Code that can be read', points: 6, codes: ['source-unparsed', 'packed-code'] },
  { name: 'Lines that fit a screen', points: 3, codes: ['workmanship-lines'] },
  {
    name: 'Every import is declared',
    points: 5,
    codes: ['dependency-undeclared', 'dependency-undeclared-alias'],
  },
  { name: 'No dependency is idle', points: 2, codes: ['dependency-unused'] },
  { name: 'Dependencies name a version', points: 2, codes: ['dependency-range'] },
  {
    name: 'Tidy content',
    points: 3,
    codes: [
      'content-untidy',
      'content-values',
      'content-lock',
      'content-pointer',
      'content-shebang',
    ],
  },
  { name: 'Small content', points: 1, codes: ['content-large'] },
  {
    name: 'A description of sufficient length',
    points: 2,
    codes: ['metadata-description', 'guide-description-unfilled'],
  },
  { name: 'Keywords', points: 2, codes: ['metadata-keywords'] },
  {
    name: 'Variables are declared and described',
    points: 2,
    codes: ['metadata-env', 'env-undeclared', 'env-unread'],
  },
];

/** 100 minus the points of the criteria that have findings. */
export function qualityOf(findings: readonly Finding[]): number {
  // Findings at level `info` cost no points.
  const codes = new Set(findings.filter(({ level }) => level !== 'info').map((f) => f.code));
  const lost = CRITERIA.filter((criterion) => criterion.codes.some((code) => codes.has(code)));
  return 100 - lost.reduce((sum, { points }) => sum + points, 0);
}
