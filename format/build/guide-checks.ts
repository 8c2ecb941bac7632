/** Reads an INTEGRATION.md: what its Verify section runs and expects. */

/** A row of a table in the Verify section. */
interface GuideCheck {
  /** Commands to run; all but the last go on running. */
  readonly commands: readonly string[];
  /** What the output holds, in this order. */
  readonly fragments: readonly string[];
  /** Whether there may be no output at all. */
  readonly isSilent: boolean;
}

/**
 * The rows of the first table of the section "Verify", when no text before it demands something, such as a server that runs;
 * up to the first row that starts one, because the rows after it ask that server. `the same again` is the row before.
 */
export function readStandaloneChecks(guide: string): GuideCheck[] {
  const lines = sectionOf(guide, 'Verify').split('\n').slice(2);
  const end = lines.findIndex((line) => line !== '' && !line.startsWith('|'));
  const table = lines.slice(0, end < 0 ? undefined : end).join('\n');
  const checks = checksIn(table);
  const started = checks.findIndex(({ commands }) => commands.length > 1);
  return checks
    .slice(0, started < 0 ? undefined : started)
    .filter(({ commands }) => commands.length === 1);
}

function checksIn(section: string): GuideCheck[] {
  const checks: GuideCheck[] = [];
  for (const row of section.matchAll(/^\| (.*) \| (.*) \|$/gm)) {
    const [, command = '', expected = ''] = row;
    const isAgain = command === 'the same again';
    // Other rows are the head of the table, and what people do, such as "Open `/login` in a browser".
    if (!isAgain && !command.startsWith('`')) continue;
    const commands = isAgain ? (checks.at(-1)?.commands ?? []) : codeIn(command);
    const fragments = codeIn(expected).flatMap((code) => code.split('...'));
    checks.push({ commands, fragments, isSilent: expected.startsWith('no output, ') });
  }
  return checks;
}

/** Whether `output` is what a check expects; spaces at the ends of fragments count. */
export function isExpected(output: string, { fragments, isSilent }: GuideCheck): boolean {
  if (isSilent) return output === '';
  let from = 0;
  return fragments.every((fragment) => {
    const at = output.indexOf(fragment, from);
    from = at + fragment.length;
    return at >= 0;
  });
}

function sectionOf(guide: string, title: string): string {
  const start = guide.indexOf(`\n## ${title}\n`);
  if (start < 0) return '';
  const end = guide.indexOf('\n## ', start + 1);
  return guide.slice(start, end < 0 ? undefined : end);
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
