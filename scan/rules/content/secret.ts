/**
 * Keys and passwords that were published by mistake, found by the rules of secretlint's recommended preset.
 * The rules are called one by one, because secretlint's own runner is asynchronous and the rules need only a text.
 */
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type {
  SecretLintRuleContext,
  SecretLintRuleCreator,
  SecretLintSourceCode,
} from '@secretlint/types';
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { isDocumentPath } from '../../text/idle-file.ts';
import { sequence, wordPattern } from '../../parse/word-list.ts';
import { awsKeyPairs } from './aws-key-pair.ts';

/** Rules that read a key file from disk, or only filter the reports of others. */
const LEFT_OUT = new Set([
  '@secretlint/secretlint-rule-gcp',
  '@secretlint/secretlint-rule-filter-comments',
]);
const RULES: readonly SecretLintRuleCreator[] = rules.filter(({ meta }) => !LEFT_OUT.has(meta.id));

/** Every rule needs one of these in its text; most files have none. */
const SIGNS = wordPattern(/WORDS/gi, {
  'private keys': ['BEGIN '],
  'Amazon Web Services': ['aws', /secret_?access/, 'AKIA'],
  'a password in an address': [/:\/\/[^\s/@]{1,80}:[^\s/@]{1,80}@/],
  Slack: [/xox[a-z]-/, 'hooks.slack'],
  SendGrid: ['SG.'],
  Shopify: [/shp(?:ss|at|ca|pa)_/],
  Stripe: [/[srp]k_(?:live|test)_/, 'whsec_'],
  GitHub: [/gh[opsur]_/, 'github_pat_'],
  GitLab: ['glpat-', /gl[a-z]{2,6}-/],
  Grafana: ['glsa_', 'glc_', 'eyJrIjoi'],
  'OpenAI, Groq and Hugging Face': ['sk-', 'gsk_', 'hf_'],
  'Linear and Notion': [/lin_(?:api|oauth)_/, 'ntn_', 'secret_'],
  '1Password': ['ops_eyJ'],
  Vault: [/hv[sbr]\./],
  Vercel: [/(?:vercel|vc[a-z])_/],
  'Databricks, Docker, Figma and Tailscale': ['dapi', 'dckr_', 'figd_', 'tskey-'],
  npm: ['_authToken', 'npm_'],
  '1Password account keys': ['A3-'],
  Cloudflare: [/cf[a-z]{2}_/],
  'settings of databases': ['password='],
});
/** Characters that are read around a sign: keys are shorter, and the rules are fast on so few. */
const BEFORE = 200;
const AFTER = 4000;
const MAX_WINDOWS = 200;
const MAX_PER_FILE = 10;
/** The name of the file shows that what it holds protects nothing. */
const FOR_SHOW =
  /(?:^|[/._-])(?:examples?|samples?|templates?|demos?|dummy|fake|test)(?:[/._-]|$)/i;
/** Values that documentation shows. */
const PLACEHOLDER = wordPattern(/WORDS/i, {
  'the value names itself a placeholder': [
    /example|sample|placeholder|dummy|fake|changeme|change-me|your[-_]|redacted/,
    /test[-_]?(?:key|token|secret|pass)/,
  ],
  'letters and numbers in order, or one alone': ['xxxx', '***', /0{8}/, '1234567', 'abcdef'],
  'a variable or a name stands for the value': [
    /<[a-z]/,
    '${',
    /%[a-z]+%/,
    /\[[a-z][a-z _-]{2,30}\]/,
  ],
  'user and password of examples': [
    sequence([
      /(?:user(?:name)?|postgres|root|admin|guest|test|foo|me):/,
      /(?:pass(?:word|wd)?|postgres|root|admin|guest|test|bar|secret|pw|mysql|123\w*|example)@/,
    ]),
    /:(?:some|my|the|your|db|user|super)?_?-?(?:pass(?:word|wd)?|pwd|pw|secret)\w{0,3}@/,
  ],
  'hosts of examples and of this machine': [
    /@(?:some|your|my)?-?_?(?:host(?:name)?|server|domain)\b/,
    /@(?:localhost|127\.0\.0\.1|db|host|postgres|mysql|redis|mongo|rabbitmq|database)\b/,
    /\.(?:example|invalid|test|local)\b|example\.(?:com|org|net)/,
  ],
});

export const secret = ruleOfFiles('secret', checkFile);

function checkFile(file: ScannedFile): Finding[] {
  const { text } = file;
  if (text === undefined) return [];
  const seen = new Set<number>();
  const found: Finding[] = [];
  for (const [start, end] of windowsOf(text)) {
    for (const report of reportsIn(text.slice(start, end), file.path)) {
      const from = start + report.start;
      if (seen.has(from) || found.length >= MAX_PER_FILE) continue;
      seen.add(from);
      const value = text.slice(from, start + report.end);
      if (isPlaceholder(value)) continue;
      const args = { what: report.what, value: masked(value) };
      const isAside =
        isTestPath(file.path) || isDocumentPath(file.path) || FOR_SHOW.test(file.path);
      const level = isAside ? 'info' : 'warn';
      found.push(findingIn(file, 'secret', args, from, value.length, level));
    }
  }
  return found;
}

/** Stretches of `text` around signs, joined where they touch. */
function windowsOf(text: string): [number, number][] {
  const windows: [number, number][] = [];
  for (const { index } of text.matchAll(SIGNS)) {
    const last = windows.at(-1);
    const start = Math.max(0, index - BEFORE);
    const end = Math.min(text.length, index + AFTER);
    if (last !== undefined && start <= last[1] && end - last[0] <= 5 * AFTER) last[1] = end;
    else if (windows.length < MAX_WINDOWS) windows.push([start, end]);
    else break;
  }
  return windows;
}

function reportsIn(content: string, path: string): { what: string; start: number; end: number }[] {
  const reports: ReturnType<typeof reportsIn> = [];
  const source: SecretLintSourceCode = {
    content,
    // The rules use only the end of the name.
    filePath: path,
    ext: '',
    contentType: 'text',
    hasBOM: false,
    indexToPosition: () => ({ line: 1, column: 0 }),
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: { line: 1, column: 0 }, end: { line: 1, column: 0 } }),
  } as unknown as SecretLintSourceCode;
  for (const rule of RULES) {
    const what = rule.meta.id.replace('@secretlint/secretlint-rule-', '');
    const context = {
      sharedOptions: { noPhysicFilePath: true },
      createTranslator: () => (messageId: string) => ({ message: messageId, messageId }),
      report: ({ range }: { readonly range: readonly [number, number] }) =>
        reports.push({ what, start: range[0], end: range[1] }),
      ignore: () => undefined,
    } as unknown as SecretLintRuleContext;
    void rule.create(context, {}).file?.(source);
  }
  for (const pair of awsKeyPairs(content)) reports.push({ what: 'aws', ...pair });
  return reports;
}

function isPlaceholder(value: string): boolean {
  if (PLACEHOLDER.test(value.slice(0, 500))) return true;
  // The environment variables of npm begin as its tokens do.
  if (/^npm_(?:config|package|lifecycle)_/.test(value)) return true;
  const secretPart = value.replace(/^.{0,40}?[_:=-]/s, '');
  // A key of few different characters was typed, not made.
  return new Set(secretPart).size < Math.min(8, secretPart.length / 2);
}

/** Enough of a secret to find it, but not to use it. */
function masked(value: string): string {
  const start = value.slice(0, 6).replaceAll(/[^\x20-\x7E]/g, '.');
  return `${start}… (${value.length} characters)`;
}
