/** `stackyard/express-api` as users get it: started with `new`, packages from npm, then every row over HTTP. */
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { describeNodeStarter } from './express-api.contract.ts';
import { expressApi } from './express-api.starter.ts';
import { describeDevServer, describeNewProject } from './new-project.contract.ts';
import { ourRegistry } from './our-registry.ts';

const registry = ourRegistry();
const project = (): string => join(registry.folder(), 'app');

beforeAll(() => registry.stackyard('new', expressApi.id, 'app', '--allow', 'all'));

describeNewProject(expressApi.id, project);
describeDevServer(project);
describeNodeStarter(expressApi, project);
