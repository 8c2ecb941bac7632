import { describe, expect, it } from 'vitest';
import { ZodError } from 'zod';
import { parseSarif } from '../format/registry/external-finding.ts';
import { guarddogToSarif } from '../generator/gate/external-findings.ts';

/** As GuardDog 3.2.0 prints it. */
const REPORT = JSON.stringify({
  package: 'web',
  results: {
    'capability-filesystem-read': {},
    'capability-process-spawn': [
      {
        location: 'a b/setup.py:2',
        code: 'os.system(',
        match: 'os.system(',
        message: 'Detects spawning',
      },
    ],
    'threat-process-download-exec': [
      { location: 'setup.py:7', code: 'curl', match: 'curl', message: 'Detects download' },
    ],
    typosquatting: null,
    metadata_mismatch: 'A text about the package',
  },
  errors: {},
});

describe('guarddogToSarif()', () => {
  it('writes what the gate and the client read', () => {
    const log = guarddogToSarif(REPORT, '3.2.0', 'builds/a/web');
    expect(parseSarif(Buffer.from(JSON.stringify(log)), 'x')).toEqual([
      {
        level: 'info',
        scanner: 'GuardDog',
        version: '3.2.0',
        rule: 'capability-process-spawn',
        path: 'builds/a/web/a b/setup.py',
        line: 2,
        message: 'Detects spawning',
      },
      {
        level: 'warn',
        scanner: 'GuardDog',
        version: '3.2.0',
        rule: 'threat-process-download-exec',
        path: 'builds/a/web/setup.py',
        line: 7,
        message: 'Detects download',
      },
    ]);
  });

  it.each([
    ['', SyntaxError],
    ['Network error', SyntaxError],
    ['[]', ZodError],
    ['{}', ZodError],
    ['{"results":[]}', ZodError],
  ])('refuses %j', (text, problem) => {
    expect(() => guarddogToSarif(text, '', '')).toThrow(problem);
  });

  it('refuses a report of which a rule failed', () => {
    const report = REPORT.replace('"errors":{}', '"errors":{"threat-x":"crashed"}');
    expect(() => guarddogToSarif(report, '3.2.0', '')).toThrow(ZodError);
  });
});
