/** What html-validate finds in pages of an index. */
import { HtmlValidate } from 'html-validate';
import { read } from './site-fixture.ts';

/** Rules of form alone are off. */
const RULES = {
  'void-style': 'off',
  'no-trailing-whitespace': 'off',
  'long-title': 'off',
  'attribute-boolean-style': 'off',
  'no-raw-characters': 'off',
  'no-inline-style': 'error',
  'tel-non-breaking': 'off',
  'require-sri': 'off',
  'prefer-native-element': 'off',
} as const;

export async function htmlFaults(out: string, pages: readonly string[]): Promise<string[]> {
  const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules: RULES });
  const faults = new Set<string>();
  for (const page of pages) {
    const { results } = await validator.validateString(read(out, page), page);
    for (const { messages } of results) {
      for (const { ruleId, message, line } of messages) {
        faults.add(`${page}:${line} ${message} [${ruleId}]`);
      }
    }
  }
  return [...faults].slice(0, 20);
}
