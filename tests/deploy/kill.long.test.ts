/** The program `deploy`, killed at any request while a client reads: the next run completes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killDeployments } from './kill-deployments.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());

it('killed at 50 random requests: no document names a missing object, and the next run completes', async () => {
  await expect(killDeployments(server, 50)).resolves.toBeUndefined();
});
