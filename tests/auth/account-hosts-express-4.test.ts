// The account API over HTTP on the module in projects with the oldest packages it supports, and with the newest Express 4.

import { expressApp } from './account-host-fixture.ts';
import { describeProject } from './account-project.contract.ts';

describeProject({
  builds: ['stackyard/account', 'stackyard/account-recovery'],
  server: expressApp(false),
  name: 'Express 4.10.0 and zod 3.23.0, without body parser and error handler',
  // The lower ends of what the module asks for; Express had no `express.json()` then.
  dependencies: { express: '4.10.0', zod: '3.23.0' },
  devDependencies: { '@types/express': '^4.17.21', typescript: '^5.9.0' },
  hasBodyParser: false,
  versions: { express: /^4\.10\.0$/, zod: /^3\.23\.0$/ },
});

describeProject({
  builds: ['stackyard/account', 'stackyard/account-recovery'],
  server: expressApp(true),
  name: 'the newest Express 4 and zod 4',
  dependencies: { express: '^4.21.0', zod: '^4.0.0' },
  devDependencies: { '@types/express': '^4.17.21', typescript: '^5.9.0' },
  hasBodyParser: true,
  versions: { express: /^4\.(?:2[1-9]|[3-9]\d)\./, zod: /^4\./ },
});
