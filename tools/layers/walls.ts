/**
 * The walls: every folder and what it may import, types included, with all that is below; a folder may import itself.
 * Files at the root of a room have a row of their own where other folders import them, so that the root is no cycle.
 */

import { CLIENT_WALLS } from './client-walls.ts';

/** Folder or file to the places that it may import. */
export type Walls = Readonly<Record<string, readonly string[]>>;

/** The rows. A folder with source files and no row fails the check. */
export const WALLS: Walls = {
  // format/: pure, what publishers, generator, client and mirrors agree on.
  format: [],
  'format/errors.ts': [],
  'format/json-schema.ts': ['format'],
  'format/lock.ts': ['format'],
  'format/archive': ['format/errors.ts', 'format/build', 'format/finding'],
  'format/build': ['format/errors.ts', 'format/finding', 'format/version'],
  'format/document': ['format/errors.ts'],
  'format/finding': ['format/finding/texts'],
  'format/finding/texts': [],
  'format/index': ['format/archive', 'format/build', 'format/document', 'format/version'],
  'format/placement.ts': ['format/lock.ts'],
  'format/registry': [
    'format/build',
    'format/document',
    'format/index',
    'format/statement',
    'format/version',
  ],
  'format/statement': [
    'format/archive',
    'format/build',
    'format/document',
    'format/index',
    'format/version',
  ],
  'format/version': ['format/errors.ts'],
  'format/wiring': ['format/build', 'format/finding'],

  // checks/: what the files of a build do and hold. Nothing imports `rules` but the list of them.
  checks: ['format', 'checks/parse'],
  'checks/capabilities.ts': [
    'format',
    'checks/scanned-file.ts',
    'checks/evidence',
    'checks/taint',
    'checks/file',
    'checks/language',
  ],
  'checks/open-build.ts': [
    'format/finding',
    'checks/scanned-file.ts',
    'checks/parse',
    'checks/taint',
  ],
  'checks/rule.ts': ['format/finding', 'checks/scanned-file.ts'],
  'checks/scan.ts': ['format/finding', 'checks/rule.ts', 'checks/scanned-file.ts'],
  'checks/scanned-file.ts': ['format', 'checks/parse', 'checks/taint/fact.ts'],
  'checks/autorun': [
    'format',
    'checks/scanned-file.ts',
    'checks/file',
    'checks/shell',
    'checks/parse',
  ],
  'checks/evidence': [
    'format',
    'checks/scanned-file.ts',
    'checks/shell',
    'checks/taint',
    'checks/parse',
    'checks/file',
  ],
  'checks/file': ['format', 'checks/scanned-file.ts', 'checks/parse'],
  'checks/language': ['format/index', 'checks/scanned-file.ts', 'checks/file', 'checks/parse'],
  'checks/package': ['format', 'checks/scanned-file.ts', 'checks/file', 'checks/parse'],
  'checks/parse': ['format'],
  'checks/shell': ['format', 'checks/scanned-file.ts', 'checks/file', 'checks/parse'],
  'checks/taint': ['checks/parse'],
  'checks/taint/analysis': ['checks/scanned-file.ts', 'checks/parse', 'checks/taint'],
  'checks/taint/interpreter': ['checks/parse', 'checks/taint'],
  'checks/taint/javascript': ['checks/parse', 'checks/taint'],
  'checks/taint/python': ['checks/parse', 'checks/taint'],
  'checks/testing': ['format', 'checks/open-build.ts', 'checks/scanned-file.ts', 'checks/taint'],
  'checks/unicode': [],
  'checks/rules': ['checks/rule.ts', 'checks/rules'],
  'checks/rules/agent': [
    'format',
    'checks/rule.ts',
    'checks/scanned-file.ts',
    'checks/file',
    'checks/unicode',
    'checks/parse',
  ],
  'checks/rules/behaviour': [
    'format',
    'checks/rule.ts',
    'checks/scanned-file.ts',
    'checks/autorun',
    'checks/evidence',
    'checks/file',
    'checks/parse',
    'checks/shell',
    'checks/taint',
    'checks/unicode',
  ],
  'checks/rules/content': [
    'format',
    'checks/rule.ts',
    'checks/scanned-file.ts',
    'checks/file',
    'checks/parse',
    'checks/unicode',
  ],
  'checks/rules/dependency': [
    'format',
    'checks/rule.ts',
    'checks/scanned-file.ts',
    'checks/file',
    'checks/package',
    'checks/unicode',
  ],
  'checks/rules/quality': [
    'checks/capabilities.ts',
    'format',
    'checks/rule.ts',
    'checks/scanned-file.ts',
    'checks/evidence',
    'checks/file',
    'checks/package',
    'checks/unicode',
    'checks/parse',
  ],

  // examine/: one build tree in; manifest, findings, scores and tarball out.
  examine: ['format', 'checks'],

  // generator/: git history in, index out. gate, ingest and pipeline do not import each other.
  generator: [],
  'generator/config.ts': ['format', 'generator/errors.ts', 'generator/git'],
  'generator/errors.ts': ['format/errors.ts'],
  'generator/client-package': ['format', 'generator/errors.ts', 'generator/state'],
  'generator/commands': ['format', 'generator'],
  'generator/gate': [
    'format',
    'checks',
    'examine',
    'generator/config.ts',
    'generator/errors.ts',
    'generator/git',
    'generator/statement',
  ],
  'generator/git': ['format', 'examine/source.ts', 'generator/errors.ts'],
  'generator/ingest': [
    'format',
    'generator/errors.ts',
    'generator/git',
    'generator/score',
    'generator/state',
    'generator/statement',
  ],
  'generator/pipeline': [
    'format',
    'examine',
    'generator/client-package/read-client-package.ts',
    'generator/config.ts',
    'generator/errors.ts',
    'generator/git',
    'generator/pipeline/history-checks',
    'generator/score',
    'generator/site',
    'generator/state',
  ],
  'generator/pipeline/history-checks': ['format', 'examine/version-facts.ts'],
  'generator/score': ['format', 'generator/errors.ts'],
  'generator/site': ['format'],
  'generator/state': ['format', 'examine/version-facts.ts', 'generator/errors.ts'],
  'generator/statement': ['format', 'generator/errors.ts'],

  ...CLIENT_WALLS,

  // auth-service/: accounts over HTTP.
  'auth-service': ['builds/stackyard/account', 'builds/stackyard/sqlite', 'auth-service'],
  'auth-service/answer.ts': [
    'builds/stackyard/account',
    'auth-service/errors.ts',
    'auth-service/request-log.ts',
  ],
  'auth-service/database-url.ts': ['auth-service/errors.ts'],
  'auth-service/errors.ts': [],
  'auth-service/request-log.ts': ['builds/stackyard/account', 'auth-service/errors.ts'],
  'auth-service/limits': ['builds/stackyard/account'],
  'auth-service/reports': [
    'format',
    'builds/stackyard/account',
    'auth-service/answer.ts',
    'auth-service/limits',
  ],
  'auth-service/store': [
    'builds/stackyard/account',
    'builds/stackyard/sqlite',
    'auth-service/database-url.ts',
    'auth-service/errors.ts',
    'auth-service/limits',
    'auth-service/reports',
  ],

  // builds/: published content imports nothing of ours.
  builds: [],
};
