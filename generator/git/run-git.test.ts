import { expect, test } from 'vitest';
import { gitEnvironment } from './run-git.ts';

test('gitEnvironment() keeps the configuration that the user gave, and no other repository', () => {
  const given = {
    SUDO_UID: '1000',
    GIT_CONFIG_GLOBAL: '/g',
    GIT_CONFIG_SYSTEM: '/s',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  };
  const others = { GIT_DIR: '/x', GIT_INDEX_FILE: '/x', GIT_CONFIG: '/x', GIT_CONFIG_KEY_A: 'x' };
  const before = { ...process.env };
  Object.assign(process.env, given, others);
  try {
    const env = gitEnvironment();
    expect(env).toMatchObject(given);
    for (const name of Object.keys(others)) expect(env).not.toHaveProperty(name);
  } finally {
    for (const name of Object.keys({ ...given, ...others })) delete process.env[name];
    Object.assign(process.env, before);
  }
});
