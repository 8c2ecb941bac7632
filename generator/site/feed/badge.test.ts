import { expect, test } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { badge } from './badge.ts';

const yanked = (view: ReturnType<typeof buildView>) => {
  const versions = view.head.versions.map((one) => ({ ...one, yanked: 'Broken' }));
  return { ...view, head: { ...view.head, versions } };
};

const faulty = (view: ReturnType<typeof buildView>) => {
  const versions = view.head.versions.map((one) => ({ ...one, advisories: ['A-1'] }));
  return { ...view, head: { ...view.head, versions } };
};

test.each([
  ['1.1.0', buildView()],
  ['1.1.0 caution', buildView({ risk: 'caution' })],
  ['1.1.0 deprecated', buildView({ risk: 'danger' }, { deprecated: { reason: 'Old' } })],
  ['1.1.0 yanked', yanked(buildView())],
  ['1.1.0 known fault', faulty(buildView())],
])('badge() shows %s', (value, view) => {
  expect(badge(view)).toContain(`aria-label="alice/web: ${value}"`);
});

test('badge() has no text of the publisher', () => {
  const text = badge(buildView({ description: 'HOSTILE' }, { deprecated: { reason: 'HOSTILE' } }));
  expect(text).not.toContain('HOSTILE');
  expect(text).not.toMatch(/<script|<style|href|\son\w+=/);
});
