// The account API over HTTP on the module in a project on Hono with the newest Hono and zod 4.

import { HONO_APP } from './account-hono-app.ts';
import { describeProject } from './account-project.contract.ts';

describeProject({
  builds: ['stackyard/account-sqlite', 'stackyard/account-recovery'],
  server: HONO_APP,
  name: 'Hono 4 and zod 4',
  dependencies: { '@hono/node-server': '^2.1.8', hono: '^4.13.0', zod: '^4.0.0' },
  devDependencies: { typescript: '^5.9.0' },
  hasBodyParser: true,
  versions: { hono: /^4\.(?:1[3-9]|[2-9]\d)\./, zod: /^4\./ },
});
