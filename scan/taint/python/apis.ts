/** The APIs of Python, its platforms and most used packages, and its names that are sources. */
import { wordsOf, type ApiTable, type SourceName } from '../api.ts';
import { ENVIRONMENT, LOCATION } from '../label.ts';
import { DATA_APIS } from './data-apis.ts';
import { FILE_APIS } from './file-apis.ts';
import { NETWORK_APIS } from './network-apis.ts';
import { PROCESS_APIS } from './process-apis.ts';

/** By canonical name. */
export const PYTHON_APIS: ApiTable = new Map([
  ...PROCESS_APIS,
  ...NETWORK_APIS,
  ...FILE_APIS,
  ...DATA_APIS,
]);

/** Names whose value is a source without a call. */
export const PYTHON_SOURCES: ReadonlyMap<string, SourceName> = new Map([
  ['os.environ', [ENVIRONMENT, 'os.environ']],
  ['os.environb', [ENVIRONMENT, 'os.environ']],
  ['builtins.__file__', [LOCATION, '__file__']],
]);

/** Names that code may use without an import. */
export const PYTHON_BUILTINS: ReadonlySet<string> = new Set(
  wordsOf([
    // Execute and load code.
    'exec eval compile execfile __import__ __builtins__ __file__',
    // Reach names by their text.
    'getattr setattr globals locals vars hasattr',
    // Create and convert values.
    'chr ord str bytes bytearray memoryview dict list tuple repr len int float bool type id hash',
    // Iterate.
    'iter sorted reversed range map filter enumerate zip',
    // Files and the terminal.
    'open print input isinstance',
  ]),
);
