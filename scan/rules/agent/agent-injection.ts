/**
 * Text that instructs coding agents without the user's knowledge: drop your instructions, keep this from the user, read
 * the keys, send them, approve everything. Judged by which phrases occur together and where; text about such attacks is
 * not reported.
 */
import { at, finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import { findIntents, isDiscussion, type IntentMatch } from './intents.ts';
import { isCited } from './citation.ts';
import type { Intent } from './phrase.ts';
import { agentTexts, type AgentText } from './read-by-agents.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { quoteLine } from '../../text/quote.ts';

/** Hints within this distance belong to one paragraph. */
const PARAGRAPH = 700;
const MAX_PER_FILE = 3;

const ASKS: Readonly<Record<Intent, string>> = {
  override: 'to drop earlier instructions',
  secrecy: 'to keep something from the user',
  credentials: 'to read secrets',
  sending: 'to send something away',
  disarm: 'to turn off checks',
  widen: 'to widen rights or approve everything',
  address: 'what to do',
  decode: 'to decode something and follow it',
  fetch: 'to fetch and start what no check has seen',
  follow: 'to follow instructions from the network',
  settings: 'to change the settings of the agent',
};

/** Without one of these `rawLevel` finds nothing in code. */
const NEEDED_IN_CODE: ReadonlySet<Intent> = new Set(['address', 'override', 'decode', 'secrecy']);

export const agentInjection: Rule = {
  name: 'agent-injection',
  run: ({ files }) => files.flatMap(checkFile),
};

function checkFile(file: ScannedFile): Finding[] {
  const found: Finding[] = [];
  const reported = new Set<number>();
  for (const piece of agentTexts(file)) {
    for (const group of paragraphs(intentsIn(piece))) {
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
        // allow-word says: argument in published records, which must not change
        says: intents.map((intent) => ASKS[intent]).join(', '),
        line: quoteLine(piece.text, notable.start),
      };
      const place = file.place(piece.start + notable.start, notable.length);
      found.push(at(finding('agent-injection', file.path, args, level), place));
    }
  }
  return found;
}

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
  if (isOrder) return audience === 'code' ? undefined : audience === 'document' ? 'warn' : 'error';
  if (audience === 'code')
    return asked.has('secrecy') && isPush && asked.has('address') ? 'warn' : undefined;
  if (asked.has('secrecy') && (isPush || takes)) return audience === 'agent' ? 'error' : 'warn';
  if (audience === 'agent' && (asked.has('widen') || (asked.has('disarm') && asked.has('address'))))
    return 'warn';
  return audience === 'agent' && (asked.has('secrecy') || asked.has('disarm')) ? 'info' : undefined;
}

/** Code holds prompts for language models, which address agents too: only theft and secrecy count. */
function isStrong(asked: ReadonlySet<Intent>): boolean {
  return (
    asked.has('override') &&
    asked.has('secrecy') &&
    (asked.has('credentials') || asked.has('widen') || asked.has('address'))
  );
}
