// How the bench of the auth service prints its figures.

import { loadavg } from 'node:os';

/** Failures by name, with how many there were of each. */
export function describe(failures: ReadonlyMap<string, number>): string {
  return [...failures].map(([name, count]) => `${count} x ${name}`).join(', ');
}

/** Tenths below 100, else a whole number. */
export function figure(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}

/** Of the last minute. */
export function readLoadAverage(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** One line of the report. */
export function print(name: string, value: string): void {
  console.log(`${name.padEnd(44)} ${value}`);
}
