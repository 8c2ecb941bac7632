/** README.md and INTEGRATION.md: what people and agents need before they use a build. */
import { INTEGRATION_FILE, MANIFEST_FILE, README_FILE } from '../../../format/build/build-files.ts';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { markdownParts } from '../../text/markdown.ts';
import {
  DESCRIPTION_START,
  INTEGRATION_SENTENCES,
  README_SENTENCES,
  unfilledSentences,
} from './skeleton-sentences.ts';
import { lowerCase } from '../../../format/unicode.ts';

/** The headings of an INTEGRATION.md, in their order; agents look for them by name. */
export const INTEGRATION_HEADINGS = [
  'Preconditions',
  'What was installed',
  'Steps',
  'Configure',
  'Verify',
  'Use it',
  'If something fails',
  'Undo',
] as const;
const MIN_README_WORDS = 40;

export const guide: Rule = {
  name: 'guide',
  run: ({ manifest, files }) => [
    ...(manifest.description.startsWith(DESCRIPTION_START)
      ? [finding('guide-description-unfilled', MANIFEST_FILE)]
      : []),
    ...readme(files.find(({ path }) => path === README_FILE)),
    ...integration(files.find(({ path }) => path === INTEGRATION_FILE)),
  ],
};

function readme(file: ScannedFile | undefined): Finding[] {
  if (file === undefined) return [finding('guide-readme-missing', '')];
  const text = file.text ?? '';
  // Only a number below the limit is reported.
  const words = text.split(/\s+/, MIN_README_WORDS).length;
  const hasExample = markdownParts(file).some(
    ({ kind, text: code }) => kind === 'fence' && code.trim() !== '',
  );
  return [
    ...(words < MIN_README_WORDS
      ? [finding('guide-readme-short', file.path, { words, wanted: MIN_README_WORDS })]
      : []),
    ...(hasExample ? [] : [finding('guide-readme-example', file.path)]),
    ...unfilledSentences(text, README_SENTENCES).map((sentence) =>
      finding('guide-readme-unfilled', file.path, { sentence }),
    ),
  ];
}

function integration(file: ScannedFile | undefined): Finding[] {
  if (file === undefined) return [finding('guide-integration-missing', '')];
  const headings = new Set(
    Array.from((file.text ?? '').matchAll(/^#{1,4}[ \t]{1,5}([^\n#]{1,100})/gm), (match) =>
      lowerCase(match[1]!.trim()),
    ),
  );
  const missing = INTEGRATION_HEADINGS.filter((heading) => !headings.has(lowerCase(heading)));
  return [
    ...(missing.length === 0
      ? []
      : [finding('guide-integration-headings', file.path, { missing: missing.join(', ') })]),
    ...unfilledSentences(file.text ?? '', INTEGRATION_SENTENCES).map((sentence) =>
      finding('guide-integration-unfilled', file.path, { sentence }),
    ),
  ];
}
