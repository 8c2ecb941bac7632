/** The texts of the safety findings about what a build's files hide. See `finding-text.ts`. */
import type { FindingText } from './finding-text.ts';

const HIDDEN_WHY =
  'Invisible characters make code look different from what it does, and carry instructions that only machines read.';

export const HIDDEN_CONTENT_TEXTS = {
  'hidden-text-bidi': {
    group: 'safety',
    level: 'warn',
    message: (a) =>
      `Has ${a['count']} characters that turn the direction of text (${a['point']}): "${a['line']}"`,
    why: `${HIDDEN_WHY} Bidirectional controls put code into what looks like a comment (CVE-2021-42574).`,
    remedy:
      'Remove them, or write them as escapes. Close embeddings and isolates in the line that opens them.',
  },
  'hidden-text-tag': {
    group: 'safety',
    level: 'error',
    message: (a) =>
      `Has ${a['count']} tag characters, which are invisible (${a['point']}): "${a['line']}"`,
    why: `${HIDDEN_WHY} Tag characters spell hidden ASCII text; outside flags nothing uses them.`,
    remedy: 'Remove them.',
  },
  'hidden-text-encoded': {
    group: 'safety',
    level: 'error',
    message: (a) =>
      `Has ${a['count']} invisible characters in a row, as if they carried data (${a['point']}): "${a['line']}"`,
    why: `${HIDDEN_WHY} Runs of selectors, zero-width or private characters encode payloads.`,
    remedy: 'Remove them, or keep data in a file of its own in a form that can be read.',
  },
  'hidden-text-filler': {
    group: 'safety',
    level: 'warn',
    message: (a) =>
      `A filler that is a letter to programs and blank to people (${a['point']}): "${a['line']}"`,
    why: `${HIDDEN_WHY} Hangul fillers are valid names in code.`,
    remedy: 'Remove it, or write it as an escape.',
  },
  'hidden-text-invisible': {
    group: 'safety',
    level: 'info',
    message: (a) => `Has ${a['count']} invisible characters (${a['point']}): "${a['line']}"`,
    why: `${HIDDEN_WHY} Within a name, a key or an instruction they change what it means.`,
    remedy: 'Remove them, or write them as escapes.',
  },
  'hidden-text-look-alike': {
    group: 'safety',
    level: 'warn',
    message: (a) =>
      `Name "${a['word']}" looks like "${a['latin']}" and has letters of another script (${a['script']})`,
    why: 'Two names that look the same and differ let a reviewer approve code that does something else.',
    remedy: 'Write the name in one script.',
  },
  'spelled-code': {
    group: 'safety',
    level: 'warn',
    message: (a) => `Code is written as ${a['how']}: it reads "${a['code']}"`,
    why: 'Code that starts programs or opens connections is spelled out in numbers or letters to be overlooked.',
    remedy: 'Write the code as code.',
  },
  secret: {
    group: 'safety',
    level: 'warn',
    message: (a) => `This looks like a secret (${a['what']}): ${a['value']}`,
    why: 'A published version is permanent: everyone who reads it can use the secret.',
    remedy:
      'Revoke the secret where it came from, then remove it. For documentation use a value that contains "example".',
  },
  'binary-file': {
    group: 'safety',
    level: 'warn',
    message: (a) => `The file is ${a['what']}, ${a['bytes']} bytes`,
    why: 'A binary cannot be reviewed.',
    remedy: 'Publish the source, and let a package manager bring programs.',
  },
  'compiled-cache': {
    group: 'safety',
    level: 'error',
    message: (a) => `The file is byte code or the cache of a tool: ${a['path']}`,
    why: 'Byte code and caches are used instead of the sources beside them: an import runs code that nobody can review.',
    remedy:
      'Remove the file, and add its folder to .gitignore. The client never writes such files.',
  },
  'disguised-file': {
    group: 'safety',
    level: 'error',
    message: (a) => `Named as ${a['name']}, the file is ${a['content']}`,
    why: 'A program with the name of a picture or a document is there to be overlooked.',
    remedy: 'Give the file the name of what it is, or remove it.',
  },
  'archive-file': {
    group: 'safety',
    level: 'warn',
    message: (a) => `The file is an archive (${a['type']})${a['holds']}`,
    why: 'What is in an archive is installed without being looked at.',
    remedy: 'Publish the files themselves.',
  },
} as const satisfies Record<string, FindingText>;
