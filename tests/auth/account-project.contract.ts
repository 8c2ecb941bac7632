// The account API over HTTP on the module as users get it: installed by the client's `add` into a project.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ourRegistry, runIn } from '../foundations/our-registry.ts';
import { describeAccountApi } from './account-api.contract.ts';
import { compiledProject, type Environment, writeProject } from './account-host-fixture.ts';

/** A project of a user before the module is installed, and what must be installed beside the module. */
export interface Project {
  readonly name: string;
  /** The builds that are installed. */
  readonly builds: readonly string[];
  /** The entry file. */
  readonly server: string;
  readonly dependencies: Environment;
  readonly devDependencies: Environment;
  readonly hasBodyParser: boolean;
  /** By package. */
  readonly versions: Readonly<Record<string, RegExp>>;
}

const INSTALL_TIMEOUT_MS = 600_000;

/** Installs the module into the project and runs all rows against its server. Call it in a test file. */
export function describeProject(project: Project): void {
  const { name, builds, server, dependencies, devDependencies, hasBodyParser, versions } = project;
  describe(`a project with ${name}`, () => {
    const registry = ourRegistry();
    let typeErrors: string;

    beforeAll(async () => {
      writeProject(registry.folder(), { dependencies, devDependencies }, server);
      await registry.stackyard('add', ...builds);
      // It also compiles the server to which the rows send requests.
      typeErrors = runIn(registry.folder(), 'npx', '--no-install', 'tsc');
    }, INSTALL_TIMEOUT_MS);

    test('keeps its versions and passes its own type check', () => {
      for (const [id, version] of Object.entries(versions)) {
        const file = join(registry.folder(), 'node_modules', id, 'package.json');
        const installed = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
        expect(installed.version).toMatch(version);
      }
      expect(typeErrors).toBe('');
    });

    const startHost = compiledProject(registry.folder);
    describeAccountApi(`the module with ${name}`, startHost, {
      startApp: startHost,
      hasBodyParser,
      hasSessions: true,
      hasCookies: true,
      hasRecovery: true,
      isService: false,
    });
  });
}
