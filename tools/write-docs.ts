/** Writes `docs/findings.md`, `docs/gate-reasons.md`, `docs/consent.md` and the table of `docs/operate.md` from their catalogues; `--check` only compares. */
import {
  CLASS_NAMES,
  CONSENT_CLASSES,
  SOURCE_KINDS,
  TEXT_NAMES,
} from '../format/build/consent-classes.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchema } from '../format/json-schema.ts';
import type { FindingText } from '../format/finding/texts/finding-text.ts';
import { FINDING_TEXTS } from '../format/finding/catalogue.ts';
import type { FindingArgs, FindingGroup } from '../format/finding/texts/finding-text.ts';
import { REASON_TEXTS } from '../generator/gate/reasons.ts';
import type { ReasonText } from '../generator/gate/reasons.ts';
import { runUpdate } from './generated-file.ts';

/** The groups in the order of the page, with what they count towards. */
const GROUPS: Readonly<Record<FindingGroup, string>> = {
  manifest: 'The build does not have the form that a build must have. An error stops publication.',
  safety: 'What could harm the people who install the build. Risk is computed from these alone.',
  'supply-chain': 'Where the code of the build comes from and what it pulls in.',
  agent: 'What steers coding agents.',
  quality:
    'What makes a build pleasant to use. Every point of quality that is lost is one of these.',
};

const INTRODUCTION = `# Findings

<!-- Made from format/finding/texts/ by tools/write-docs.ts: do not edit. -->

A finding is something that the registry reports about a build. The package record shows it as

\`\`\`json
{ "level": "info", "code": "agent-instructions", "file": "AGENTS.md", "message": "Coding agents load this file as instructions" }
\`\`\`

\`level\` is \`info\`, \`warn\` or \`error\`. \`file\` is a path within the build, or \`""\` when the finding is
about the whole build. A code begins with the name of the file that reports it, and never changes its meaning.
In the messages below, \`<name>\` stands for a value. The last point is the remedy.
`;

/** Arguments that answer any name with `<name>`. */
const PLACEHOLDERS = new Proxy<FindingArgs>({}, { get: (_, name) => `<${String(name)}>` });

/** The text of `docs/findings.md`. */
export function findingsPage(): string {
  const entries = Object.entries(FINDING_TEXTS) as [string, FindingText][];
  const sections = Object.entries(GROUPS).flatMap(([group, what]) => {
    const of = entries.filter(([, text]) => text.group === group);
    if (of.length === 0) return [];
    const common = commonReason(of.map(([, { why }]) => why));
    const reason = common === undefined ? '' : ` Where an entry has no reason: ${common}`;
    const items = of
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, text]) => entry(code, text, common));
    return [`## Group ${group}\n\n${what}${reason}\n`, ...items];
  });
  return [INTRODUCTION, ...sections].join('\n');
}

const REASONS_INTRODUCTION = `# Reasons of the gate

<!-- Made from generator/gate/reasons.ts by tools/write-docs.ts: do not edit. -->

Why the gate refuses a pull request, or leaves it to an admin ([publishing.md](publishing.md)). Errors of the build
itself are reasons to refuse too, with the codes of [findings.md](findings.md). A code never changes its meaning. Below
each message, in which \`<name>\` stands for a value, is its remedy.
`;

/** The text of `docs/gate-reasons.md`. */
export function gateReasonsPage(): string {
  const entries = Object.entries(REASON_TEXTS) as [string, ReasonText][];
  const sections = (['refuse', 'review'] as const).flatMap((level) => {
    const of = entries.filter(([, text]) => text.level === level);
    const items = of
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, text]) => {
        const message = `\`${text.message(PLACEHOLDERS)}\``;
        return `### \`${code}\`\n\n${message}\n\n${text.remedy}\n`;
      });
    return [`## Verdict ${level}\n`, ...items];
  });
  return [REASONS_INTRODUCTION, ...sections].join('\n');
}

const CONSENT_INTRODUCTION = `# What needs consent

<!-- Made from format/build/consent-classes.ts by tools/write-docs.ts: do not edit. -->

A build writes source files of known kinds in folders of a project without a question. All else has a class, and needs a yes or
\`--allow\` with its class, its path or \`all\` ([client.md](client.md)); the gate leaves it to an admin
([publishing.md](publishing.md)). What counts is where a file ends up in the project, and its mode. Matching ignores case.

- A file whose name or place is in a list below has the first class that matches.
- Otherwise a file with mode 755 has the class \`program\`, one with a dot in front of its name or of a folder \`hidden\`, one of no
  known kind \`unknown\`, and one at the root of the project \`root\`.
- A \`.txt\` file with a line that is an option of pip, or a requirement that names an address, has the class \`packages\`.
- A wired block ([integration-guide.md](integration-guide.md)) has the class of its target. Lines of \`.gitignore\` have none, unless
  one begins with \`!\`: then the class is \`git\`. Code at the root of the project that is there already has none.

## What answers

Only you, on this machine: at the terminal, by \`--allow\` and \`--yes\` of this run, by \`apply\` of a plan that you saw, or by an
answer in your state folder. No lock, setting, build or document of a registry answers: \`install\` asks again about what it restores.

## Known kinds of source files
`;

/** The text of `docs/consent.md`. */
export function consentPage(): string {
  const code = (words: string): string =>
    words
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => `\`${word}\``)
      .join(' ');
  const kinds = Object.entries(SOURCE_KINDS).map(([kind, list]) => `| ${kind} | ${code(list)} |`);
  const classes = Object.entries(CONSENT_CLASSES).map(([name, does]) => {
    const known = CLASS_NAMES.find((one) => one.class === name);
    const lines = [
      known?.names === undefined ? '' : `- Files: ${code(known.names)}`,
      known?.folders === undefined ? '' : `- Folders: ${code(known.folders)}`,
      ...(known?.paths ?? []).map(({ source }) => `- Paths: \`${source.replaceAll('\\/', '/')}\``),
    ].filter((line) => line !== '');
    const list = lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
    return `### \`${name}\`\n\n${does}.\n${list}`;
  });
  const table = ['| Kind | Extensions |', '|---|---|', ...kinds].join('\n');
  const names = `Without an extension: ${code(TEXT_NAMES)}.`;
  return [CONSENT_INTRODUCTION, `${table}\n\n${names}\n`, '## Classes\n', ...classes].join('\n');
}

const CONFIGURATION =
  '<!-- Made from format/registry/registry-config.ts by tools/write-docs.ts: do not edit below. -->';

/** `docs/operate.md` with every field of the configuration behind the mark. @param page as it is */
export function operatePage(page: string): string {
  const end = page.indexOf(CONFIGURATION);
  if (end < 0) throw new Error(`docs/operate.md does not have the line "${CONFIGURATION}"`);
  const rows = fieldRows(jsonSchema('registry-config'), '');
  const table = ['| Field | Form | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
  return `${page.slice(0, end)}${CONFIGURATION}\n\n${table}\n`;
}

interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly propertyNames?: FieldSchema;
  readonly additionalProperties?: FieldSchema | false;
  readonly required?: readonly string[];
}

/** A row for each field, fields of objects and of the objects in lists included. */
function fieldRows(schema: FieldSchema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (name === '$schema') return [];
    const path = `${prefix}${name}`;
    const isRequired = schema.required?.includes(name) === true;
    const usual =
      field.default === undefined || typeof field.default === 'object' ? '' : code(field.default);
    const about = (field.description ?? '').replaceAll('|', '\\|');
    const row = `| \`${path}\` | ${formOf(field)} | ${isRequired ? 'required' : usual} | ${about} |`;
    const objects = [field, ...(field.anyOf ?? [])];
    const lists = objects.flatMap(({ items }) =>
      items === undefined ? [] : [items, ...(items.anyOf ?? [])],
    );
    return [
      row,
      ...objects.flatMap((one) => fieldRows(one, `${path}.`)),
      ...lists.flatMap((one) => fieldRows(one, `${path}[].`)),
    ];
  });
}

function formOf({
  type,
  format,
  enum: choices,
  anyOf,
  items,
  properties,
  additionalProperties,
}: FieldSchema): string {
  if (choices !== undefined) return choices.map(code).join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(formOf))].join(' or ');
  if (items !== undefined) return `list of ${formOf(items)}`;
  if (type === 'object' && properties === undefined) {
    return `object with values of ${formOf(additionalProperties === false ? {} : (additionalProperties ?? {}))}`;
  }
  if (format === 'uri') return 'address';
  return type ?? 'any';
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** The reason that most of them have, if at least ten do: the page has it once. */
function commonReason(reasons: readonly string[]): string | undefined {
  const counts = Map.groupBy(reasons, (reason) => reason);
  const [most] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return most !== undefined && most[1].length >= 10 ? most[0] : undefined;
}

function entry(code: string, text: FindingText, common: string | undefined): string {
  const lines = [
    `### \`${code}\``,
    `Level \`${text.level}\`: \`${text.message(PLACEHOLDERS)}\``,
    ...(text.why === common ? [] : [`- Why: ${text.why}`]),
    `- ${text.remedy}`,
  ];
  return `${lines.slice(0, 2).join('\n\n')}\n\n${lines.slice(2).join('\n')}\n`;
}

const OPERATE = 'docs/operate.md';

if (import.meta.main) {
  const pages = [
    { path: 'docs/findings.md', text: findingsPage() },
    { path: 'docs/gate-reasons.md', text: gateReasonsPage() },
    { path: 'docs/consent.md', text: consentPage() },
    {
      path: OPERATE,
      text: operatePage(readFileSync(join(import.meta.dirname, '..', OPERATE), 'utf8')),
    },
  ];
  runUpdate(pages, 'node tools/write-docs.ts');
}
