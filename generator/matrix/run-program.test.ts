import { expect, it } from 'vitest';
import { passedVariables, runProgram } from './run-program.ts';

const HERE = { cwd: import.meta.dirname, env: process.env };

it('passedVariables() keeps settings and drops secrets', () => {
  const env = {
    PATH: '/bin',
    HTTPS_PROXY: 'http://proxy',
    npm_config_registry: 'https://r.example',
    'npm_config_//r.example/:_authToken': 'x',
    npm_config__auth: 'x',
    PIP_INDEX_URL: 'https://p.example',
    GITHUB_TOKEN: 'x',
    ACTIONS_ID_TOKEN_REQUEST_URL: 'x',
    UV_PUBLISH_TOKEN: 'x',
    STACKYARD_LOG_KEY: 'x',
  };
  expect(Object.keys(passedVariables(env)).sort()).toEqual([
    'HTTPS_PROXY',
    'PATH',
    'PIP_INDEX_URL',
    'npm_config_registry',
  ]);
});

it('runProgram() returns what a program writes, and its failure', async () => {
  const script = 'console.log(1); console.error(2); process.exitCode = 3';
  expect(await runProgram(process.execPath, ['-e', script], HERE)).toEqual({
    isOk: false,
    stdout: '1\n',
    stderr: '2\n',
  });
  const missing = await runProgram('stackyard-no-such-program', [], HERE);
  expect(missing).toMatchObject({ isOk: false, stderr: expect.stringContaining('ENOENT') });
});

it('runProgram() ends a program and what it has started after the time limit', async () => {
  const script = "require('child_process').spawn('sleep', ['600'], { stdio: 'inherit' })";
  const result = await runProgram(process.execPath, ['-e', script], HERE, 500);
  expect(result).toMatchObject({ isOk: false, stderr: expect.stringContaining('no end after') });
});
