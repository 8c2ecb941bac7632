import { expect, test } from 'vitest';
import { CONSENT_CLASSES } from '../../format/build/consent-classes.ts';
import type { ConsentEntry } from '../plan/planned-entries.ts';
import type { Choose } from './choose.ts';
import { consentLines, requireConsent } from './consent.ts';

function entry(path: string, given: boolean): ConsentEntry {
  return { build: 'a/x', path, class: 'settings', does: CONSENT_CLASSES.settings, given };
}

/** A user who answers `answer`, and what was printed. */
function user(answer: string | undefined): { choose: Choose; printed: string[] } {
  const printed: string[] = [];
  const choose: Choose = (work) =>
    work({
      choice: async (lines) => {
        printed.push(...lines);
        return answer as never;
      },
      text: async () => '',
    });
  return { choose, printed };
}

test('requireConsent() asks nothing where all is allowed', async () => {
  const { choose, printed } = user(undefined);
  await requireConsent({ consent: [entry('a.config.js', true)] }, { choose });
  await requireConsent({}, { choose });
  expect(printed).toEqual([]);
});

test('requireConsent() lists what is not allowed with what it can do, and takes a yes', async () => {
  const { choose, printed } = user('write');
  const consent = [entry('a.config.js', true), entry('b.config.js', false)];
  await requireConsent({ consent }, { choose });
  expect(printed.slice(1)).toEqual(['  settings: b.config.js', `    ${CONSENT_CLASSES.settings}.`]);
});

test.each(['stop', undefined])('requireConsent() refuses the answer %s', async (answer) => {
  const { choose } = user(answer);
  const plan = { command: 'new', consent: [entry('b.config.js', false)] };
  await expect(requireConsent(plan, { choose })).rejects.toMatchObject({
    code: 'ERR_DECLINED',
    hint: '--allow all consents without a question',
  });
});

test('requireConsent() is an error with the option where nobody can answer', async () => {
  const plan = { command: 'add', consent: [entry('b.config.js', false)] };
  await expect(requireConsent(plan, { choose: undefined })).rejects.toMatchObject({
    code: 'ERR_CONSENT',
    hint: expect.stringContaining('--allow settings') as string,
  });
});

test('consentLines() lists what is allowed and what is not', () => {
  const consent = [entry('a.config.js', true), entry('b.config.js', false)];
  expect(consentLines({ command: 'add', consent })).toEqual([
    'With your consent:',
    '  settings: a.config.js',
    `    ${CONSENT_CLASSES.settings}.`,
    'Needs your consent (--allow settings):',
    '  settings: b.config.js',
    `    ${CONSENT_CLASSES.settings}.`,
  ]);
});
