/** Social login on both frameworks, on SQLite; PostgreSQL and a real provider are in login.long.test.ts. */
import { FRAMEWORKS } from './login-fixture.ts';
import { describeSocialLogin } from './social-login.contract.ts';

for (const framework of FRAMEWORKS) describeSocialLogin(framework);
