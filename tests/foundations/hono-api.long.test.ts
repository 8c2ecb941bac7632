/** `stackyard/hono-api` as users get it: started with `new`, packages from npm, then every row over HTTP. */
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { describeNodeStarter } from './express-api.contract.ts';
import { honoApi } from './hono-api.starter.ts';
import { describeDevServer, describeNewProject } from './new-project.contract.ts';
import { ourRegistry } from './our-registry.ts';

const registry = ourRegistry();
const project = (): string => join(registry.folder(), 'app');

beforeAll(() => registry.stackyard('new', honoApi.id, 'app', '--allow', 'all'));

describeNewProject(honoApi.id, project);
describeNodeStarter(honoApi, project);
describeDevServer(project);
