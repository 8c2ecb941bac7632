/** The text of a build that coding agents read, and whether people see it too. */
import { isAgentFile } from '../../../format/build/consent.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { byPath } from '../../parse/by-path.ts';
import { extensionOf, fileKind } from '../../text/file-kind.ts';
import { wordPattern } from '../../parse/word-list.ts';
import { markdownParts } from '../../text/markdown.ts';
import { lowerCase } from '../../../format/unicode.ts';

/** `agent`: loaded or followed as instructions. `readme`: read first. `document`: other prose. `code`: the rest. */
type Audience = 'agent' | 'readme' | 'document' | 'code';

export interface AgentText {
  readonly audience: Audience;
  readonly text: string;
  readonly start: number;
  /** People who look at the page do not see it. */
  readonly isHidden: boolean;
}

/** Characters of a document; code is read to its end, behind any padding. */
const MAX_DOCUMENT = 1_000_000;
const MARKED = new Set(['md', 'mdx', 'mdc', 'markdown', 'html', 'htm', 'rst', 'txt', '']);
/** An attribute that only programs and screen readers read. */
const ATTRIBUTES = wordPattern(
  [
    {
      why: 'attributes of HTML',
      words: [
        /\b(?:alt|title|aria-label|data-[\w-]{1,40}|content)\s{0,3}=\s{0,3}(["'])([^"'<>]{20,2000})\1/,
      ],
    },
    { why: 'the text that stands for a picture', words: [/!\[([^\]\n]{40,2000})\]\(/] },
    { why: 'the title of a link', words: [/\]\([^()\s]{1,500}\s["']([^"'\n]{20,2000})["']\)/] },
  ],
  { flags: 'g' },
);
/** An element whose style makes it invisible. */
const UNSEEN = wordPattern(
  [
    {
      why: 'is not drawn',
      words: [/display\s{0,3}:\s{0,3}none/, /visibility\s{0,3}:\s{0,3}hidden/],
    },
    {
      why: 'is drawn too small or too pale to read',
      words: [
        /font-size\s{0,3}:\s{0,3}[01](?:px|pt|em)?\s{0,3}[;"']/,
        /opacity\s{0,3}:\s{0,3}0(?:\.0\d?)?\s{0,3}[;"']/,
        /color\s{0,3}[:=]\s{0,3}["']?(?:white|#fff(?:fff)?\b|transparent)/,
      ],
    },
    { why: 'the attribute of HTML', words: [/\shidden[\s>=]/] },
  ],
  {
    before: /<(\w{1,20})\b[^<>]{0,500}/,
    after: /[^<>]{0,500}>([^<]{10,4000})/,
    flags: 'gi',
  },
);

/** Everything in `file` that an agent may read as instructions. */
export function agentTexts(file: ScannedFile): AgentText[] {
  if (file.text === undefined || file.text === '') return [];
  const audience = audienceOf(file.path);
  const isCode = !MARKED.has(extensionOf(file.path)) && audience === 'code';
  const text = isCode ? file.text : file.text.slice(0, MAX_DOCUMENT);
  const whole = { audience, text, start: 0, isHidden: false };
  if (isCode) return [whole];
  const comments = markdownParts(file)
    .filter((part) => part.kind === 'comment')
    .map((part) => ({ audience, text: part.text, start: part.start, isHidden: true }));
  const attributes = Array.from(text.matchAll(ATTRIBUTES), (match) =>
    hidden(audience, match, match[2] ?? match[3] ?? match[4] ?? ''),
  );
  const unseen = Array.from(text.matchAll(UNSEEN), (match) =>
    hidden(audience, match, match[2] ?? ''),
  );
  return [...comments, ...attributes, ...unseen, whole];
}

function hidden(audience: Audience, match: RegExpMatchArray, text: string): AgentText {
  return { audience, text, start: (match.index ?? 0) + match[0].lastIndexOf(text), isHidden: true };
}

const audienceOf = byPath((path): Audience => {
  const name = lowerCase(path.slice(path.lastIndexOf('/') + 1));
  if (isAgentFile(path) || name === 'integration.md' || /^llms(?:-full)?\.txt$/.test(name))
    return 'agent';
  if (/^readme(?:\.|$)/.test(name) || name === 'contributing.md') return 'readme';
  const isCode = fileKind(path) !== 'prose' && !['html', 'htm'].includes(extensionOf(path));
  return isCode ? 'code' : 'document';
});
