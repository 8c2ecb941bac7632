import { describe, expect, test } from 'vitest';
import { ClientError } from '../errors.ts';
import { outputSchema } from '../commands/schema.ts';
import { PROGRAM } from '../program.ts';
import { failureEnvelope, formatEnvelope, outcomeEnvelope } from './envelope.ts';

const DONE = { status: 'done', data: { builds: [], registries: [] }, text: [] } as const;

describe('outcomeEnvelope()', () => {
  test('conforms to the schema of its command', async () => {
    const warnings = [{ code: 'x', message: 'y', path: '' }];
    const envelope = outcomeEnvelope('list', { ...DONE, warnings });
    expect(
      (await outputSchema('list', PROGRAM)).safeParse(envelope).error?.message,
    ).toBeUndefined();
    expect(envelope).toMatchObject({ schema: 'stackyard/list@1', ok: true, warnings });
  });

  test.each(['different', 'error'] as const)('is not ok with the status %s', (status) => {
    expect(outcomeEnvelope('list', { ...DONE, status }).ok).toBe(false);
  });

  test('is not ok with an error', async () => {
    const error = new ClientError('ERR_PACKAGES', 'npm failed', { hint: 'run it again' });
    const envelope = outcomeEnvelope('list', { ...DONE, error });
    expect(
      (await outputSchema('list', PROGRAM)).safeParse(envelope).error?.message,
    ).toBeUndefined();
    expect(envelope).toMatchObject({ ok: false, error: { code: 'ERR_PACKAGES' } });
  });
});

describe('failureEnvelope()', () => {
  test.each([
    ['ERR_NEEDS_ANSWER', 'action_required'],
    ['ERR_LOCK', 'error'],
  ])('%s has the status %s', async (code, status) => {
    const envelope = failureEnvelope('list', { code, message: 'a\u001b[2Jb' });
    expect(
      (await outputSchema('list', PROGRAM)).safeParse(envelope).error?.message,
    ).toBeUndefined();
    expect(envelope).toMatchObject({ ok: false, status, error: { message: 'a[2Jb', hint: '' } });
  });
});

test('formatEnvelope() escapes what controls a terminal, and loses nothing', () => {
  const data = { text: 'a\u001b[2J\u202eb\u{E0041}' };
  const text = formatEnvelope(outcomeEnvelope('list', { ...DONE, data }));
  expect(text).toContain('\\u001b[2J\\u202eb\\udb40\\udc41');
  expect(JSON.parse(text)).toMatchObject({ data });
});
