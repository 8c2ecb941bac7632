// The account API over HTTP on the module in a project on Hono with the oldest packages it supports.

import { HONO_APP } from './account-hono-app.ts';
import { describeProject } from './account-project.contract.ts';

describeProject({
  builds: ['stackyard/account-sqlite', 'stackyard/account-recovery'],
  server: HONO_APP,
  name: 'Hono 4.10.0, its server for Node 1.19.5, and zod 3.23.0',
  dependencies: { '@hono/node-server': '1.19.5', hono: '4.10.0', zod: '3.23.0' },
  devDependencies: { typescript: '^5.9.0' },
  hasBodyParser: true,
  versions: { hono: /^4\.10\.0$/, zod: /^3\.23\.0$/ },
});
