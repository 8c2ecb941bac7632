// The account API over HTTP on four hosts: the service on SQLite and on PostgreSQL, and the module as users get it,
// installed by the client's `add` into a project with Express 5 and zod 4 and into one with the oldest it supports.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ourRegistry, runIn } from '../foundations/our-registry.ts';
import { describeAccountApi } from './account-api.contract.ts';
import {
  appOfService,
  compiledProject,
  type Environment,
  serviceOnPostgres,
  serviceOnSqlite,
  writeProject,
} from './account-host-fixture.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import { type BuiltService, buildService } from './service-fixture.ts';

const INSTALL_TIMEOUT_MS = 600_000;

describe('the service', () => {
  let service: BuiltService;
  let server: PostgresServer;
  const built = (): BuiltService => service;
  const postgres = (): PostgresServer => server;

  beforeAll(async () => {
    service = buildService();
    server = await startPostgres();
  });

  afterAll(() => {
    service?.remove();
    server?.remove();
  });

  describeAccountApi('the service on SQLite', serviceOnSqlite(built), {
    startApp: appOfService(built),
    hasBodyParser: true,
    isService: true,
  });

  describeAccountApi('the service on PostgreSQL', serviceOnPostgres(built, postgres), {
    startApp: appOfService(built, postgres),
    hasBodyParser: true,
    isService: true,
  });
});

interface Project {
  readonly name: string;
  readonly dependencies: Environment;
  readonly devDependencies: Environment;
  readonly hasBodyParser: boolean;
}

const projects: readonly Project[] = [
  {
    name: 'Express 5 and zod 4',
    dependencies: { express: '^5.0.0', zod: '^4.0.0' },
    devDependencies: { '@types/express': '^5.0.0', typescript: '^5.9.0' },
    hasBodyParser: true,
  },
  {
    name: 'Express 4.10.0 and zod 3.23.0, without body parser and error handler',
    // The lower ends of what the module asks for; Express had no `express.json()` then.
    dependencies: { express: '4.10.0', zod: '3.23.0' },
    devDependencies: { '@types/express': '^4.17.21', typescript: '^5.9.0' },
    hasBodyParser: false,
  },
];

describe.each(projects)('a project with $name', (project) => {
  const { name, dependencies, devDependencies, hasBodyParser } = project;
  const registry = ourRegistry();
  let typeErrors: string;

  beforeAll(async () => {
    writeProject(registry.folder(), { dependencies, devDependencies }, hasBodyParser);
    await registry.stackyard('add', 'stackyard/account');
    // It compiles as well: the server that the rows ask.
    typeErrors = runIn(registry.folder(), 'npx', '--no-install', 'tsc');
  }, INSTALL_TIMEOUT_MS);

  test('keeps its versions and passes its own type check', () => {
    const version = (id: string): string =>
      runIn(registry.folder(), 'node', '-p', `require('${id}/package.json').version`).trim();
    expect(version('express')).toMatch(hasBodyParser ? /^5\./ : /^4\.10\.0$/);
    expect(version('zod')).toMatch(hasBodyParser ? /^4\./ : /^3\.23\.0$/);
    expect(typeErrors).toBe('');
  });

  const startHost = compiledProject(registry.folder);
  describeAccountApi(`the module with ${name}`, startHost, {
    startApp: startHost,
    hasBodyParser,
    isService: false,
  });
});
