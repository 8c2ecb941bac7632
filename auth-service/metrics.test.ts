// The metrics.

import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('createMetrics() has no label that a stranger chooses', async () => {
  let isUp = true;
  const metrics = createMetrics(['/auth/me'], async () => isUp);
  for (const path of ['/auth/me', '/auth/me/', '/AUTH/me', '/S2', '/auth/S3', '/', ''])
    metrics.observeRequest('GET', path, 200, 0.1);
  metrics.observeRequest('S1', '/auth/me', 200, 0.1);
  const { text, type } = await metrics.render();
  expect(type).toMatch(/^text\/plain; version=/);
  expect(text).not.toMatch(/S[1-3]/);
  expect(text).toContain('_count{method="GET",route="/auth/me",status="200"} 3');
  expect(text).toContain('_count{method="any",route="other",status="200"} 4');
  expect(text).toContain('_count{method="other",route="/auth/me",status="200"} 1');
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).toContain('auth_database_up 1');
  isUp = false;
  expect((await metrics.render()).text).toContain('auth_database_up 0');
});
