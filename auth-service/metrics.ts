// Metrics for Prometheus. No label holds a value that clients choose.

import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Counts a request that has ended; `path` is without its query. */
  observeRequest(method: string, path: string, status: number, seconds: number): void;
  /** The text of Prometheus, and its content type. */
  render(): Promise<{ readonly text: string; readonly type: string }>;
}

// A hash takes a fifth of a second of a core, and may wait in the queue for up to ten seconds.
const SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/**
 * Metrics of one application; `routes` are the values of the path label.
 * @param isDatabaseUp is called each time they are read
 */
export function createMetrics(
  routes: readonly string[],
  isDatabaseUp: () => Promise<boolean>,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const known = new Set(routes);
  const durations = new Histogram({
    name: 'auth_http_request_duration_seconds',
    help: 'Time from the request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  new Gauge({
    name: 'auth_database_up',
    help: 'Whether the database answered when it was asked last: 1 or 0',
    async collect() {
      this.set((await isDatabaseUp()) ? 1 : 0);
    },
    registers: [registry],
  });

  return {
    observeRequest(method, path, status, seconds) {
      const route = path.length > 1 ? path.replace(/\/$/, '').toLowerCase() : path;
      const labels = known.has(route)
        ? { method: METHODS.has(method) ? method : 'other', route }
        : { method: 'any', route: 'other' };
      durations.observe({ ...labels, status: String(status) }, seconds);
    },
    render: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}
