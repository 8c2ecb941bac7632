/** README.md and INTEGRATION.md: what people and agents need before they use a build. */
import { INTEGRATION_FILE, MANIFEST_FILE, README_FILE } from '../../../format/build/build-files.ts';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { INDEX, exportsOf } from './tag-interface.ts';
import { markdownParts } from '../../text/markdown.ts';
import {
  DESCRIPTION_START,
  INTEGRATION_SENTENCES,
  README_SENTENCES,
  unfilledSentences,
} from './skeleton-sentences.ts';

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
/** How many exports a finding lists. */
const MAX_NAMED = 8;

export const guide: Rule = {
  name: 'guide',
  run: ({ manifest, files }) => [
    ...(manifest.description.startsWith(DESCRIPTION_START)
      ? [finding('guide-description-unfilled', MANIFEST_FILE)]
      : []),
    ...readme(files.find(({ path }) => path === README_FILE)),
    ...integration(
      files.find(({ path }) => path === INTEGRATION_FILE),
      manifest.version,
    ),
    ...exported(files),
  ],
};

function readme(file: ScannedFile | undefined): Finding[] {
  if (file === undefined) return [finding('guide-readme-missing', '')];
  const text = file.text ?? '';
  // Only a number below the limit is reported.
  const words = text.split(/\s+/, MIN_README_WORDS).length;
  const hasExample = fencesOf(file).length > 0;
  return [
    ...(words < MIN_README_WORDS
      ? [finding('guide-readme-short', file.path, { words, wanted: MIN_README_WORDS })]
      : []),
    ...(hasExample ? [] : [finding('guide-readme-example', file.path)]),
    ...unfilled('guide-readme-unfilled', file, README_SENTENCES),
  ];
}

function integration(file: ScannedFile | undefined, version: string): Finding[] {
  if (file === undefined) return [finding('guide-integration-missing', '')];
  const headings = new Set(
    Array.from((file.text ?? '').matchAll(/^#{1,4}[ \t]{1,5}([^\n#]{1,100})/gm), (match) =>
      match[1]!.trim().toLowerCase(),
    ),
  );
  const missing = INTEGRATION_HEADINGS.filter((heading) => !headings.has(heading.toLowerCase()));
  return [
    ...(missing.length === 0
      ? []
      : [finding('guide-integration-headings', file.path, { missing: missing.join(', ') })]),
    ...unfilled('guide-integration-unfilled', file, INTEGRATION_SENTENCES),
    ...title(file, version),
    ...(headings.has('verify') && !verifies(file) ? [finding('guide-verify', file.path)] : []),
  ];
}

function unfilled(
  code: 'guide-readme-unfilled' | 'guide-integration-unfilled',
  { path, text = '' }: ScannedFile,
  of: Readonly<Record<string, string>>,
): Finding[] {
  const [first, ...more] = unfilledSentences(text, of);
  const sentences = `"${first}"${more.length === 0 ? '' : ` and ${more.length} more`}`;
  return first === undefined ? [] : [finding(code, path, { sentences })];
}

/** A version in the title is forgotten when the manifest gets the next one. */
function title({ path, text = '' }: ScannedFile, version: string): Finding[] {
  const [, named = version] = /^# [^\n]{0,200}?\bv?(\d+\.\d+\.\d+[\w.+-]{0,40})/.exec(text) ?? [];
  return named === version ? [] : [finding('guide-title', path, { named, version })];
}

/** Whether the section has a fence, before the next heading. */
function verifies(file: ScannedFile): boolean {
  const { text = '' } = file;
  const start = text.search(/^#{1,4}[ \t]{1,5}Verify[ \t]*$/im);
  const fence = fencesOf(file).find((one) => one.start > start);
  const before = text.slice(text.indexOf('\n', start), fence?.start);
  return fence !== undefined && !/^#{1,2} /m.test(before);
}

function fencesOf(file: ScannedFile): ReturnType<typeof markdownParts> {
  return markdownParts(file).filter(({ kind, text }) => kind === 'fence' && text.trim() !== '');
}

/** What the index exports and no text for people names. */
function exported(files: readonly ScannedFile[]): Finding[] {
  const index = files.find(({ path }) => INDEX.test(path));
  const names = [...((index && exportsOf(index)) ?? [])].filter((name) => !name.startsWith('_'));
  const texts = files.filter(({ path }) => path === README_FILE || path === INTEGRATION_FILE);
  const words = new Set(texts.flatMap(({ text = '' }) => text.match(/[\w$]+/g) ?? []));
  const missing = names.filter((name) => !words.has(name));
  const hasReadme = texts.some(({ path }) => path === README_FILE);
  if (index === undefined || !hasReadme || missing.length * 3 <= names.length) return [];
  const args = {
    named: names.length - missing.length,
    exports: names.length,
    missing: missing.slice(0, MAX_NAMED).join(', '),
  };
  return [finding('guide-exports', index.path, args)];
}
