import { expect, test } from 'vitest';
import { createCommonPasswordRule } from './common-passwords.ts';

const rule = createCommonPasswordRule();
const faultOf = (password: string) => rule(password, 'a@example.com');

test.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'iloveyou', 'trustno1'])(
  'createCommonPasswordRule() refuses %j',
  async (password) => {
    expect(await faultOf(password)).toBe('Password is too common: choose another one');
  },
);

test.each(['correct horse', 'password of mine', 'пароль-которого-нет', ' password', '1234567'])(
  'createCommonPasswordRule() passes %j',
  async (password) => {
    expect(await faultOf(password)).toBeUndefined();
  },
);
