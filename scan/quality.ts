/** Computes the quality of a build, 0 to 100: the sum of the documented criteria. A finding explains each lost point. */
import type { Finding } from '../format/finding/finding.ts';
import type { FindingCode } from '../format/finding/catalogue.ts';

interface Criterion {
  /** The name in `docs/scoring.md`. */
  readonly name: string;
  readonly points: number;
  /** Codes of its findings: if any occurs, the points are lost, once. */
  readonly codes: readonly FindingCode[];
}

/** The criteria; `docs/scoring.md` has the same table, and a test compares the two. */
export const CRITERIA: readonly Criterion[] = [
  {
    name: 'A README',
    points: 12,
    codes: ['guide-readme-missing', 'guide-readme-short', 'guide-readme-unfilled'],
  },
  {
    name: 'An example in the README',
    points: 8,
    codes: ['guide-readme-missing', 'guide-readme-example'],
  },
  { name: 'An INTEGRATION guide', points: 10, codes: ['guide-integration-missing'] },
  {
    name: 'Its fixed headings',
    points: 6,
    codes: [
      'guide-integration-missing',
      'guide-integration-headings',
      'guide-integration-unfilled',
    ],
  },
  {
    name: 'Its steps name what is there',
    points: 4,
    codes: ['integration-step-file', 'integration-step-variable'],
  },
  {
    name: 'The text of the licence',
    points: 8,
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
  { name: 'Tests', points: 12, codes: ['workmanship-tests'] },
  { name: 'Types', points: 8, codes: ['workmanship-types'] },
  { name: 'Code that can be read', points: 6, codes: ['source-unparsed', 'packed-code'] },
  { name: 'Every import is declared', points: 6, codes: ['dependency-undeclared'] },
  { name: 'No dependency is idle', points: 2, codes: ['dependency-unused'] },
  { name: 'Dependencies have an upper end', points: 2, codes: ['dependency-range'] },
  { name: 'Tidy content', points: 3, codes: ['content-untidy', 'content-values', 'content-lock'] },
  { name: 'Small content', points: 1, codes: ['content-large'] },
  {
    name: 'A description of sufficient length',
    points: 2,
    codes: ['metadata-description', 'guide-description-unfilled'],
  },
  { name: 'Keywords', points: 2, codes: ['metadata-keywords'] },
  { name: 'An address of the source', points: 2, codes: ['metadata-repository'] },
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
