/** What linters report after their fixes, from the output of each. */
import { field } from '../../format/document/canonical-json.ts';

/** What a linter still reports in a file after its fixes. */
export interface Remaining {
  readonly path: string;
  /** Names of rules; empty where the linter has none. */
  readonly rules: readonly string[];
  /** It cannot read the file, which no comment changes. */
  readonly isUnread?: boolean;
}

/** Of rules that read types, about what a package would declare that is installed only after the change. */
const UNRESOLVED = /\berror typed\b|[`']error[`'] type/;

/** A file that eslint does not lint has a message without a rule. */
export function eslintProblems(output: string): Remaining[] {
  return listOf(parsed(output)).flatMap((file) => {
    const messages = listOf(field(file, 'messages'));
    const path = String(field(file, 'filePath'));
    if (messages.some((message) => field(message, 'fatal') === true)) {
      return [{ path, rules: [], isUnread: true }];
    }
    const lasting = messages.filter((one) => !UNRESOLVED.test(String(field(one, 'message'))));
    const rules = lasting.map((message) => field(message, 'ruleId'));
    const named = rules.filter((rule) => typeof rule === 'string');
    return named.length === 0 ? [] : [{ path, rules: named }];
  });
}

export function biomeProblems(output: string): Remaining[] {
  return listOf(field(parsed(output), 'diagnostics')).flatMap((one) => {
    const path = field(field(one, 'location'), 'path');
    const isLint = String(field(one, 'category')).startsWith('lint/');
    return isLint ? [{ path: String(field(path, 'file') ?? path), rules: [] }] : [];
  });
}

/** The value of a JSON text, or of the first line of `output` that is one. */
export function parsed(output: string): unknown {
  for (const text of [output, ...output.split('\n').filter((line) => /^[[{]/.test(line))]) {
    try {
      return JSON.parse(text);
    } catch {
      // Programs print other lines as well.
    }
  }
  return undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
