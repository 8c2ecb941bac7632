import { expect, test } from 'vitest';
import { CONSENT_CLASSES } from '../../format/build/consent-classes.ts';
import { consentLines } from '../plan/consent.ts';
import type { Plan } from '../plan/plan.ts';
import type { ConsentEntry, WiringEntry } from '../plan/planned-entries.ts';
import { BUILD_DANGER, type Question, questionsBefore } from '../plan/question.ts';
import { askNobody, askWith } from './ask.ts';
import { textOf } from './questions.ts';

const HELD: WiringEntry = {
  build: 'a/web',
  step: 2,
  file: 'src/app.ts',
  before: 'one();',
  text: "spawn('sh');",
  action: 'held',
  why: 'its new text can start sh',
  gains: ['start sh'],
};

function entry(path: string, given: boolean): ConsentEntry {
  return { build: 'a/x', path, class: 'settings', does: CONSENT_CLASSES.settings, given };
}

const CONSENT = [entry('a.config.js', true), entry('b.config.js', false)];

function before(codes: readonly string[], consent: readonly ConsentEntry[] = []): Question[] {
  const warnings = codes.map((code) => ({ code, message: `about ${code}`, path: '' }));
  return questionsBefore({ command: 'add', warnings, consent } as unknown as Plan);
}

test('textOf() shows both texts of a step that gains', () => {
  expect(textOf({ about: 'gains', entries: [HELD] }).lines).toEqual([
    'The update has text for your files that can do more than before:',
    '  ! src/app.ts: step 2  stays without your yes: its new text can start sh',
    '      - one();',
    "      + spawn('sh');",
  ]);
});

test('questionsBefore() asks once about all dangerous builds, and for what is not allowed', () => {
  const [danger, consent, ...more] = before([BUILD_DANGER, 'build-risk', BUILD_DANGER], CONSENT);
  const text = 'about build-danger; about build-danger. Install it all the same?';
  expect([danger, more]).toEqual([{ about: 'danger', text }, []]);
  expect(textOf(consent!).lines.slice(1)).toEqual([
    '  settings: b.config.js',
    `    ${CONSENT_CLASSES.settings}.`,
  ]);
  expect(before(['build-risk'], [entry('a.config.js', true)])).toEqual([]);
});

test.each([
  [before([BUILD_DANGER]), 'ERR_NEEDS_ANSWER', 'add --yes to answer yes'],
  [before([], CONSENT), 'ERR_CONSENT', expect.stringContaining('--allow settings')],
])('askNobody() is an error with the option that answers', async (questions, code, hint) => {
  const { lines, choices } = textOf(questions[0]!);
  const question = { lines: expect.arrayContaining([...lines]) as string[], choices };
  const error = { code, hint: hint as string, question };
  await expect(askNobody(questions)).rejects.toMatchObject(error);
});

test.each([
  [before([BUILD_DANGER]), 'n', '--yes answers yes without a question'],
  [before([BUILD_DANGER]), '', '--yes answers yes without a question'],
  [before([], CONSENT), 'stop', '--allow settings consents without a question'],
])('askWith() ends the command at %j answered "%s"', async (questions, typed, hint) => {
  const error = { code: 'ERR_DECLINED', hint };
  await expect(askWith(async () => typed)(questions)).rejects.toMatchObject(error);
});

test('askWith() asks again until an answer is one of the choices, by its first letters', async () => {
  const typed = ['', 'x', '(', 'Wr'];
  const prompts: string[] = [];
  const [answer] = await askWith(async (_, prompt) => {
    prompts.push(prompt);
    return typed.shift()!;
  })(before([], CONSENT));
  expect([answer?.text, prompts]).toEqual(['write', Array(4).fill('[w]rite them, [s]top?')]);
});

test('consentLines() lists what is allowed and what is not', () => {
  expect(consentLines({ consent: CONSENT })).toEqual([
    'With your consent:',
    '  settings: a.config.js',
    `    ${CONSENT_CLASSES.settings}.`,
    'Needs your consent (--allow settings):',
    '  settings: b.config.js',
    `    ${CONSENT_CLASSES.settings}.`,
  ]);
});
