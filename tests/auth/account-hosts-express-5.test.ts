// The account API over HTTP on the module in a project with Express 5 and zod 4.

import { expressApp } from './account-host-fixture.ts';
import { describeProject } from './account-project.contract.ts';

describeProject({
  builds: ['stackyard/account', 'stackyard/account-recovery'],
  server: expressApp(true),
  name: 'Express 5 and zod 4',
  dependencies: { express: '^5.0.0', zod: '^4.0.0' },
  devDependencies: { '@types/express': '^5.0.0', typescript: '^5.9.0' },
  hasBodyParser: true,
  versions: { express: /^5\./, zod: /^4\./ },
});
