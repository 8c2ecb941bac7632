// Metrics for Prometheus. No label holds a value that clients choose.

import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { AccountEvent } from '../builds/stackyard/account-core/index.ts';

export interface Metrics {
  /** Counts a request that has ended; `path` is without its query. */
  observeRequest(method: string, path: string, status: number, seconds: number): void;
  countEvent(event: AccountEvent): void;
  setDatabaseUp(isUp: boolean): void;
  /** The text of Prometheus, and its content type. */
  render(): Promise<{ readonly text: string; readonly type: string }>;
}

// A hash takes a fifth of a second of a core, and may wait in the queue for up to ten seconds.
const SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Metrics of one application; `routes` are the values of the path label. With several processes the first one adds them up.
 * @param askDatabase is awaited before they are read, so that the metric of the database is current
 */
export function createMetrics(
  routes: readonly string[],
  askDatabase: () => Promise<void> = async () => {},
): Metrics {
  const registry = new Registry();
  AggregatorRegistry.setRegistries(registry);
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const known = new Set(routes);
  const durations = new Histogram({
    name: 'auth_http_request_duration_seconds',
    help: 'Time from the request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const events = new Counter({
    name: 'auth_account_events_total',
    help: 'What happened to accounts: logins, failures, throttled attempts and so on',
    labelNames: ['type'],
    registers,
  });
  const databaseUp = new Gauge({
    name: 'auth_database_up',
    help: 'Whether the database answered when it was asked last: 1 or 0',
    // Of several processes: whether it answered all of them.
    aggregator: 'min',
    collect: askDatabase,
    registers,
  });
  databaseUp.set(1);

  return {
    observeRequest(method, path, status, seconds) {
      const route = known.has(path) ? path : path.replace(/(?<=.)\/$/, '');
      const labels = known.has(route)
        ? { method: methodLabel(method), route }
        : { method: 'any', route: 'other' };
      durations.observe({ ...labels, status: String(status) }, seconds);
    },
    countEvent: ({ type }) => events.inc({ type }),
    setDatabaseUp: (isUp) => databaseUp.set(isUp ? 1 : 0),
    render: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}

function methodLabel(method: string): string {
  return ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
