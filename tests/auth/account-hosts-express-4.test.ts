// The account API over HTTP on the module in a project with the oldest packages it supports.

import { expressApp } from './account-host-fixture.ts';
import { describeProject } from './account-project.contract.ts';

describeProject({
  build: 'stackyard/account',
  server: expressApp(false),
  name: 'Express 4.10.0 and zod 3.23.0, without body parser and error handler',
  // The lower ends of what the module asks for; Express had no `express.json()` then.
  dependencies: { express: '4.10.0', zod: '3.23.0' },
  devDependencies: { '@types/express': '^4.17.21', typescript: '^5.9.0' },
  hasBodyParser: false,
  versions: { express: /^4\.10\.0$/, zod: /^3\.23\.0$/ },
});
