/** The APIs of JavaScript, its platforms and most used packages, and its names that are sources. */
import type { ApiTable, SourceName } from '../api.ts';
import { CREDENTIAL, ENVIRONMENT, LOCATION } from '../label.ts';
import { DATA_APIS } from './data-apis.ts';
import { FILE_APIS } from './file-apis.ts';
import { NETWORK_APIS } from './network-apis.ts';
import { PROCESS_APIS } from './process-apis.ts';

/** By canonical name. */
export const JAVASCRIPT_APIS: ApiTable = new Map([
  ...PROCESS_APIS,
  ...NETWORK_APIS,
  ...FILE_APIS,
  ...DATA_APIS,
]);

/** Names whose value is a source without a call. */
export const JAVASCRIPT_SOURCES: ReadonlyMap<string, SourceName> = new Map([
  ['process.env', [ENVIRONMENT, 'process.env']],
  ['Deno.env', [ENVIRONMENT, 'Deno.env']],
  ['Bun.env', [ENVIRONMENT, 'Bun.env']],
  ['__dirname', [LOCATION, '__dirname']],
  ['__filename', [LOCATION, '__filename']],
  ['document.cookie', [CREDENTIAL, 'document.cookie']],
]);
