/** What places may do beside importing each other: disk, network, and the exceptions from the walls. */

/** Imports that the rows do not allow and that stay, each as `from -> to` with its reason. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {};

/** Places without disk, network, clock, processes or terminal. */
export const PURE: readonly string[] = [
  'format',
  'client/compare',
  'client/resolve',
  'client/plan',
  'client/edit',
  'client/merge',
  'client/place',
  'client/wire',
];

/** Modules of Node.js and packages that a pure place may not import at run time. */
export const IMPURE: readonly string[] = [
  'child_process',
  'cluster',
  'fs',
  'http',
  'http2',
  'https',
  'net',
  'os',
  'process',
  'readline',
  'tty',
  'undici',
  'worker_threads',
];

/** Packages that talk to the network, and the places that may import them at run time. */
export const NETWORK: readonly string[] = [
  '@aws-sdk/client-s3',
  'undici',
  'http',
  'https',
  'http2',
  'net',
  'tls',
  'dns',
];
export const MAY_TALK: readonly string[] = [
  'client/registry/network',
  'client/publish',
  'generator/deploy',
  'generator/serve',
  'generator/witness',
  'auth-service',
  'builds',
];

/** Folders that may import anything, and that no room may import. */
export const OUTSIDE: readonly string[] = ['tests', 'tools', 'bench'];
