import { expect, test } from 'vitest';
import { buildView, SITE } from '../../tests/site/build-view.ts';
import { badge, buildFeed } from './build-pages.ts';

const yanked = (view: ReturnType<typeof buildView>) => {
  const versions = view.head.versions.map((one) => ({
    ...one,
    status: { is: 'yanked' as const, reason: 'Broken' },
  }));
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

test('buildFeed() has the versions, newest first', () => {
  const text = buildFeed(SITE, buildView());
  const links = [...text.matchAll(/<link href="([^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    '../../../builds/alice/web/',
    '../../../source/?id=alice/web&amp;version=1.1.0',
    '../../../source/?id=alice/web&amp;version=1.0.0',
  ]);
});

test('buildFeed() names yanked versions', () => {
  const view = buildView();
  const [first, second] = view.head.versions;
  const head = {
    ...view.head,
    versions: [first!, { ...second!, status: { is: 'yanked' as const, reason: 'Broken' } }],
  };
  expect(buildFeed(SITE, { ...view, head })).toContain('<title>alice/web 1.0.0 (yanked)</title>');
});
