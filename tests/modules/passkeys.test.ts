/** Passkeys on both frameworks, on SQLite; PostgreSQL and Chromium are in login.long.test.ts. */
import { FRAMEWORKS } from './login-fixture.ts';
import { describePasskeys } from './passkeys.contract.ts';

for (const framework of FRAMEWORKS) describePasskeys(framework);
