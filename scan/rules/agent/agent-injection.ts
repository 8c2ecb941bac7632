/**
 * Text that instructs coding agents without the user's knowledge: drop your instructions, keep this from the user, read
 * the keys, send them, approve everything. Judged by which phrases occur together and where; text about such attacks is
 * not reported.
 */
import type { Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import { findIntents, isDiscussion } from './intents.ts';
import { ASKS, type Intent } from './phrase.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { hostOf, isLocal } from '../../taint/address.ts';
import { isOpen, isPublisher, isRented } from '../../taint/known-hosts.ts';
import { isTrustedPlace } from '../../evidence/trusted-place.ts';
import { REQUESTS } from './requests.ts';
import { isTestPath, extensionOf, fileKind } from '../../text/file-kind.ts';
import { quoteLine } from '../../text/quote.ts';
import { wordPattern } from '../../parse/word-list.ts';
import { isAgentFile } from '../../../format/build/consent.ts';
import { byPath } from '../../parse/by-path.ts';
import { markdownParts } from '../../text/markdown.ts';
import { isCited } from './cited.ts';

type IntentMatch = ReturnType<typeof findIntents>[number];

/** `agent`: loaded or followed as instructions. `readme`: read first. `document`: other prose. `code`: the rest. */
type Audience = 'agent' | 'readme' | 'document' | 'code';

interface AgentText {
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
const ATTRIBUTES = wordPattern(/WORDS/g, {
  'attributes of HTML': [
    /\b(?:alt|title|aria-label|data-[\w-]{1,40}|content)\s{0,3}=\s{0,3}(["'])([^"'<>]{20,2000})\1/,
  ],
  'the text that stands for a picture': [/!\[([^\]\n]{40,2000})\]\(/],
  'the title of a link': [/\]\([^()\s]{1,500}\s["']([^"'\n]{20,2000})["']\)/],
});
/** An element whose style makes it invisible. */
const UNSEEN = wordPattern(/<(\w{1,20})\b[^<>]{0,500}WORDS[^<>]{0,500}>([^<]{10,4000})/gi, {
  'is not drawn': [/display\s{0,3}:\s{0,3}none/, /visibility\s{0,3}:\s{0,3}hidden/],
  'is drawn too small or too pale to read': [
    /font-size\s{0,3}:\s{0,3}[01](?:px|pt|em)?\s{0,3}[;"']/,
    /opacity\s{0,3}:\s{0,3}0(?:\.0\d?)?\s{0,3}[;"']/,
    /color\s{0,3}[:=]\s{0,3}["']?(?:white|#fff(?:fff)?\b|transparent)/,
  ],
  'the attribute of HTML': [/\shidden[\s>=]/],
});

/** Everything in `file` that an agent may read as instructions. */
function agentTexts(file: ScannedFile): AgentText[] {
  if (file.text === undefined || file.text === '') return [];
  const audience = audienceOf(file.path);
  const isCode = !MARKED.has(extensionOf(file.path)) && audience === 'code';
  const text = isCode ? file.text : file.text.slice(0, MAX_DOCUMENT);
  const whole = { audience, text, start: 0, isHidden: false };
  if (isCode) return [whole];
  const comments = markdownParts(file)
    .filter((part) => part.kind === 'comment')
    .map((part) => ({ audience, text: part.text, start: part.start, isHidden: true }));
  const unseen = [...text.matchAll(ATTRIBUTES), ...text.matchAll(UNSEEN)].map((match) =>
    hidden(audience, match),
  );
  return [...comments, ...unseen, whole];
}

function hidden(audience: Audience, match: RegExpExecArray): AgentText {
  const text = match[2] ?? match[3] ?? match[4] ?? '';
  return { audience, text, start: match.index + match[0].lastIndexOf(text), isHidden: true };
}

const audienceOf = byPath((path): Audience => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (isAgentFile(path) || name === 'integration.md' || /^llms(?:-full)?\.txt$/.test(name))
    return 'agent';
  if (/^readme(?:\.|$)/.test(name) || name === 'contributing.md') return 'readme';
  const isCode = fileKind(path) !== 'prose' && !['html', 'htm'].includes(extensionOf(path));
  return isCode ? 'code' : 'document';
});

/** Hints within this distance belong to one paragraph. */
const PARAGRAPH = 300;
const MAX_PER_FILE = 3;

/** Without one of these `rawLevel` finds nothing in code. */
const NEEDED_IN_CODE: ReadonlySet<Intent> = new Set(['address', 'override', 'decode', 'secrecy']);

export const agentInjection = ruleOfFiles('agent-injection', checkFile);

function checkFile(file: ScannedFile, build: ScannedBuild): Finding[] {
  const found: Finding[] = [];
  const reported = new Set<number>();
  for (const piece of agentTexts(file)) {
    const matches = intentsIn(piece).filter((match) => !isDeclared(build, piece, match));
    for (const group of paragraphs(matches)) {
      const start = piece.start + group[0]!.start;
      const level = reported.has(start) ? undefined : levelOf(piece, group, file.path);
      if (level === undefined || found.length >= MAX_PER_FILE) continue;
      for (const { start: seen } of group) reported.add(piece.start + seen);
      const intents = [...new Set(group.map(({ intent }) => intent))].filter(
        (one) => one !== 'address' || group.length === 1,
      );
      const notable = group.find(({ intent }) => intent !== 'address') ?? group[0]!;
      const args = {
        where: piece.isHidden ? 'in text that nobody sees' : 'here',
        // Published records contain this argument: its name never changes.
        says: intents.map((intent) => ASKS[intent]).join(', '),
        line: quoteLine(piece.text, notable.start),
      };
      const from = piece.start + notable.start;
      found.push(findingIn(file, 'agent-injection', args, from, notable.length, level));
    }
  }
  return found;
}

/** A request whose object is the build's own, such as its registry or its repository. */
function isDeclared(
  build: ScannedBuild,
  { text, audience, isHidden }: AgentText,
  { intent, start, length }: IntentMatch,
): boolean {
  if (!REQUESTS.has(intent)) return false;
  // What a reader fills in asks for nothing of the author's.
  const line = text.slice(start, start + length + 100).split('\n', 1)[0] ?? '';
  if (audience !== 'agent' && !isHidden && PLACEHOLDER.test(line)) return true;
  // A row of a table describes.
  if (/^\s*\|/.test(text.slice(text.lastIndexOf('\n', start) + 1, start + 1))) return true;
  const url = /https?:\/\/[^\s"'`<>)]{3,200}/.exec(text.slice(start, start + length + 100))?.[0];
  if (url === undefined) return false;
  const host = hostOf(url) ?? '';
  const own = hostOf(build.manifest.homepage ?? '');
  const isVendor = isPublisher(host) && !isOpen(host) && !isRented(host);
  return isLocal(host) || isTrustedPlace(build, url) || host === own || isVendor;
}

const PLACEHOLDER =
  /<[A-Za-z][A-Za-z _-]{2,40}>|\[[A-Z][A-Z _-]{2,40}\]|(?::\/\/(?:[\w.-]{0,60}\.)?|-host[= ])(?:your|example)[-.]/;

/** What people see may quote an instruction to warn of it; what nobody sees warns nobody. */
function intentsIn({ text, isHidden, audience }: AgentText): IntentMatch[] {
  const matches = findIntents(text, audience === 'code' && !isHidden ? NEEDED_IN_CODE : undefined);
  if (isHidden) return matches;
  return matches.filter(({ start, length }) => !isCited(text, start, start + length));
}

/** Matches in groups no further apart than a paragraph. */
function paragraphs(matches: readonly IntentMatch[]): IntentMatch[][] {
  const groups: IntentMatch[][] = [];
  for (const match of matches) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (
      group !== undefined &&
      last !== undefined &&
      match.start - last.start - last.length <= PARAGRAPH &&
      match.start - group[0]!.start < 4 * PARAGRAPH
    )
      group.push(match);
    else groups.push([match]);
  }
  return groups;
}

/** `undefined` for intents that legitimate text has, too. */
function levelOf(
  piece: AgentText,
  group: readonly IntentMatch[],
  path: string,
): FindingLevel | undefined {
  const asked = new Set(group.map(({ intent }) => intent));
  const level = rawLevel(piece, asked);
  if (level === undefined || piece.isHidden) return level;
  const first = group[0]!;
  const last = group.at(-1)!;
  const isAbout = isDiscussion(piece.text, first.start, last.start + last.length);
  if (isAbout || isTestPath(path))
    return piece.audience === 'agent' && level === 'error' ? 'warn' : undefined;
  return level;
}

function rawLevel(
  { audience, isHidden }: AgentText,
  asked: ReadonlySet<Intent>,
): FindingLevel | undefined {
  const requests = [...asked].filter((one) => REQUESTS.has(one));
  if (requests.length > 0 && audience !== 'code') {
    const isConcealed = isHidden || asked.has('secrecy') || asked.has('override');
    if (isConcealed || requests.length > 1) return 'error';
    return audience === 'document' ? 'info' : 'warn';
  }
  if (requests.length > 0 && asked.has('override')) return 'warn';
  const takes = asked.has('credentials');
  const isTheft = takes && (asked.has('sending') || asked.has('secrecy'));
  const isFetch = asked.has('fetch');
  if (isFetch && audience !== 'code')
    return audience === 'agent' || isHidden || asked.has('secrecy') ? 'error' : 'warn';
  if (isFetch && asked.has('address')) return 'warn';
  const isRemote = asked.has('follow') || asked.has('settings');
  if (isRemote && audience !== 'code' && (asked.has('secrecy') || isHidden)) return 'error';
  if (asked.has('follow') && audience === 'agent') return 'warn';
  const isOrder = asked.has('override') || asked.has('decode');
  const isPush = asked.has('disarm') || asked.has('widen');
  if (
    isTheft &&
    (asked.has('secrecy') || asked.has('address') || isOrder || audience === 'agent' || isHidden)
  )
    return 'error';
  if (isOrder && (asked.has('secrecy') || takes || isPush || asked.has('address')))
    return audience === 'code' && !isStrong(asked) ? 'warn' : 'error';
  if (isHidden && (isOrder || (asked.has('address') && (takes || asked.has('secrecy') || isPush))))
    return 'error';
  // A phrase alone asks for nothing.
  if (isOrder) return audience === 'code' ? undefined : isHidden ? 'warn' : 'info';
  if (audience === 'code')
    return asked.has('secrecy') && isPush && asked.has('address') ? 'warn' : undefined;
  if (asked.has('secrecy') && (isPush || takes)) return audience === 'agent' ? 'error' : 'warn';
  if (audience === 'agent' && asked.has('widen') && asked.has('disarm')) return 'warn';
  const isPhrase = asked.has('widen') || asked.has('secrecy') || asked.has('disarm');
  return audience === 'agent' && isPhrase ? 'info' : undefined;
}

/** Code holds prompts for language models, which address agents too: only theft and secrecy count. */
function isStrong(asked: ReadonlySet<Intent>): boolean {
  return (
    asked.has('override') &&
    asked.has('secrecy') &&
    (asked.has('credentials') || asked.has('widen') || asked.has('address'))
  );
}
