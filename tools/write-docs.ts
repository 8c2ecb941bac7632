/** Writes `docs/findings.md` and `docs/gate-reasons.md` from their catalogues; `--check` only compares. */
import type { FindingText } from '../format/finding/texts/finding-text.ts';
import { FINDING_TEXTS } from '../format/finding/catalogue.ts';
import type { FindingArgs, FindingGroup } from '../format/finding/texts/finding-text.ts';
import { REASON_TEXTS } from '../generator/gate/reason-texts.ts';
import type { ReasonText } from '../generator/gate/reason-texts.ts';
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
about the whole build. A code never changes its meaning. It begins with the name of the file that holds
the rule: a file of \`format/\`, \`examine/\` or \`checks/rules/\`. Three beginnings have no file of their own:
\`file-\` is about the content or kind of one file, \`build-tarball-\` about the packed build (both in
\`examine/\`), and \`check-\` about a check that did not finish. In the messages below, \`<name>\`
stands for a value.
`;

/** Arguments that answer any name with `<name>`. */
const PLACEHOLDERS = new Proxy<FindingArgs>({}, { get: (_, name) => `<${String(name)}>` });

/** The text of `docs/findings.md`. */
export function findingsPage(): string {
  const entries = Object.entries(FINDING_TEXTS) as [string, FindingText][];
  const sections = Object.entries(GROUPS).flatMap(([group, what]) => {
    const of = entries.filter(([, text]) => text.group === group);
    if (of.length === 0) return [];
    const items = of.sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, text]) => entry(code, text));
    return [`## Group ${group}\n\n${what}\n`, ...items];
  });
  return [INTRODUCTION, ...sections].join('\n');
}

const REASONS_INTRODUCTION = `# Reasons of the gate

<!-- Made from generator/gate/reason-texts.ts by tools/write-docs.ts: do not edit. -->

Why the gate refuses a pull request, or leaves it to an admin ([publishing.md](publishing.md)). Errors of the build
itself are reasons to refuse too, with the codes of [findings.md](findings.md). A code never changes its meaning. In
the messages below, \`<name>\` stands for a value.
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
        return `### \`${code}\`\n\n${message}\n\n- Remedy: ${text.remedy}\n`;
      });
    return [`## Verdict ${level}\n`, ...items];
  });
  return [REASONS_INTRODUCTION, ...sections].join('\n');
}

function entry(code: string, text: FindingText): string {
  const lines = [
    `### \`${code}\``,
    `Level \`${text.level}\`: \`${text.message(PLACEHOLDERS)}\``,
    `- Why: ${text.why}`,
    `- Remedy: ${text.remedy}`,
  ];
  return `${lines.slice(0, 2).join('\n\n')}\n\n${lines.slice(2).join('\n')}\n`;
}

if (import.meta.main) {
  const pages = [
    { path: 'docs/findings.md', text: findingsPage() },
    { path: 'docs/gate-reasons.md', text: gateReasonsPage() },
  ];
  runUpdate(pages, 'node tools/write-docs.ts');
}
