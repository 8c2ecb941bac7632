import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FindingText } from './texts/finding-text.ts';
import { FINDING_TEXTS } from './catalogue.ts';
import type { FindingArgs } from './texts/finding-text.ts';

/** Findings about what no single file of `format/` or check is named after. */
const STAGE_PREFIXES = ['build-tarball', 'check', 'file', 'scan'];

const ENTRIES = Object.entries(FINDING_TEXTS) as [string, FindingText][];

/** Arguments that answer any name with `<name>`. */
const SAMPLE_ARGS = new Proxy<FindingArgs>({}, { get: (_, name) => `<${String(name)}>` });

/** Names of the source files below a folder, without their ending. */
function stemsOf(folder: string): string[] {
  return readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => basename(name, '.ts'));
}

const STEMS = [
  ...stemsOf('../'),
  ...stemsOf('../../scan/rules/'),
  ...stemsOf('../../scan/'),
  ...stemsOf('../../generator/pipeline/'),
  ...STAGE_PREFIXES,
];

describe.each(ENTRIES)('FINDING_TEXTS %s', (code, text) => {
  test('has a code in kebab case that begins with the name of the file that reports it', () => {
    expect(code).toMatch(/^[a-z]+(?:-[a-z0-9]+)*$/);
    expect(STEMS.some((stem) => code === stem || code.startsWith(`${stem}-`))).toBe(true);
  });

  test('states what is wrong in one line, from its arguments', () => {
    const message = text.message(SAMPLE_ARGS);
    expect(message).toMatch(/^[A-Z].*[^.\s]$/);
    expect(message).not.toMatch(/undefined|\n/);
    expect(message).not.toContain('\u2014');
  });

  test('has a reason, a remedy, a group and a level', () => {
    expect(text.why).toMatch(/^[A-Z].+\.$/);
    expect(text.remedy).toMatch(/^[A-Z].+\.$/);
    expect(['manifest', 'safety', 'supply-chain', 'agent', 'quality']).toContain(text.group);
    expect(['info', 'warn', 'error']).toContain(text.level);
  });

  test('has an entry in docs/findings.md', () => {
    const page = readFileSync(new URL('../../docs/findings.md', import.meta.url), 'utf8');
    expect(page).toContain(`### \`${code}\``);
  });
});

test('FINDING_TEXTS has the code that the specification names', () => {
  expect(FINDING_TEXTS['agent-instructions'].level).toBe('info');
});
