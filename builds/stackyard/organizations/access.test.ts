import { expect, test } from 'vitest';
import { admits, declareActions, isRole, leastRole, outranks, reaches, type Role } from './access.js';

const ROLES: readonly Role[] = ['member', 'admin', 'owner'];
const membership = (role: Role) => ({ userId: 7, organizationId: 'a', role });

test('roles reach down, and decide about those below', () => {
  const pairs = ROLES.flatMap((a) => ROLES.map((b) => [a, b] as const));
  expect(pairs.filter(([a, b]) => reaches(a, b)).map(String)).toEqual([
    'member,member',
    'admin,member',
    'admin,admin',
    'owner,member',
    'owner,admin',
    'owner,owner',
  ]);
  expect(pairs.filter(([a, b]) => outranks(a, b)).map(String)).toEqual(['admin,member', 'owner,member', 'owner,admin', 'owner,owner']);
  expect(['owner', 'Owner', 'constructor', '', 1, null].filter(isRole)).toEqual(['owner']);
});

test('actions are declared once, and a question for another one fails', async () => {
  declareActions({ 'test.admin': 'admin', 'test.seven': ({ userId, role }) => userId === 7 && role !== 'owner' });
  declareActions({ 'test.admin': 'admin' });
  expect(() => declareActions({ 'test.admin': 'member' })).toThrow('declared already');
  expect(() => declareActions({ 'organization.delete': 'member' })).toThrow('declared already');
  expect(await Promise.all(ROLES.map((role) => admits(membership(role), 'test.admin')))).toEqual([false, true, true]);
  expect(await Promise.all(ROLES.map((role) => admits(membership(role), 'test.seven')))).toEqual([true, true, false]);
  expect(await admits(undefined, 'test.seven')).toBe(false);
  await expect(admits(membership('owner'), 'test.unknown')).rejects.toThrow(TypeError);
  for (const action of ['toString', '__proto__', '']) await expect(admits(membership('owner'), action)).rejects.toThrow(TypeError);
  expect(leastRole('organization.delete')).toBe('owner');
});
