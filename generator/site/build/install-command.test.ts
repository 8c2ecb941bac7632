import { expect, test } from 'vitest';
import { actionOf, clientCommands, commandLine } from './install-command.ts';

test('actionOf() starts a project from a foundation and adds a module', () => {
  expect(actionOf({ id: 'a/b', kind: 'foundation' })).toBe('new a/b my-app');
  expect(actionOf({ id: 'a/b', kind: 'module', version: '1.0.0' })).toBe('add a/b@1.0.0');
});

test('clientCommands() fetches the client of the registry, or takes an installed one', () => {
  const address = 'https://r.example';
  expect(clientCommands({ address, hasClient: true }, 'add a/b')).toEqual({
    npm: 'npx --yes https://r.example/client/stackyard.tgz add a/b',
    pnpm: 'pnpm dlx https://r.example/client/stackyard.tgz add a/b',
    bun: 'bunx --package https://r.example/client/stackyard.tgz stackyard add a/b',
  });
  expect(clientCommands({ address, hasClient: false }, 'add a/b')).toEqual({
    stackyard: 'stackyard add a/b --registry https://r.example',
  });
});

test('commandLine() marks the address that only the browser knows', () => {
  const [command = ''] = Object.values(clientCommands({ address: '', hasClient: true }, 'add a/b'));
  expect(String(commandLine(command, 'x'))).toContain(
    'npx --yes <span data-registry-address>&lt;registry&gt;</span>/client/stackyard.tgz add a/b',
  );
});
