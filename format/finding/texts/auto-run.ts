/** The texts of the safety findings about what runs automatically, and about shell text. See `finding-text.ts`. */
import type { FindingText } from './finding-text.ts';

const SHELL_WHY =
  'People, programs and agents run commands in scripts and instructions exactly as written.';

export const AUTO_RUN_TEXTS = {
  'auto-run-script': {
    group: 'safety',
    level: 'warn',
    message: (a) =>
      `The script "${a['script']}" ${a['does']} when packages are installed: "${a['text']}"`,
    why: 'Package managers run such scripts automatically: most malicious packages start this way.',
    remedy:
      'Let the user run it: give the script a name of its own, and describe it in INTEGRATION.md.',
  },
  'auto-run-file': {
    group: 'safety',
    level: 'info',
    message: (a) =>
      `When ${a['when']}, ${a['what']} runs${a['text'] === '' ? '' : `: "${a['text']}"`}`,
    why: 'Opening, entering or installing a project must not run code that the user did not start.',
    remedy: 'Remove it, or let the user turn it on.',
  },
  'metadata-credentials': {
    group: 'safety',
    level: 'error',
    message: (a) => `What the cloud's metadata service answers is sent to ${a['host']}`,
    why: 'The metadata service hands out the rights of the machine: anyone who has them acts as the machine.',
    remedy: "Use the cloud's own library, which does not disclose them.",
  },
  'shell-fetch-run': {
    group: 'safety',
    level: 'warn',
    message: (a) => `Code from ${a['url']} is run as it comes: "${a['line']}"`,
    why: `${SHELL_WHY} What an address serves can change after every review.`,
    remedy: 'Name a package and version, or fetch a file, compare its digest, and run it then.',
  },
  'shell-fetch-decode': {
    group: 'safety',
    level: 'error',
    message: (a) => `Encoded text is decoded and run: "${a['line']}"`,
    why: `${SHELL_WHY} Commands are encoded to be overlooked.`,
    remedy: 'Write the commands as they are.',
  },
  'shell-fetch-connect': {
    group: 'safety',
    level: 'error',
    message: (a) => `A shell is connected to a remote host: "${a['line']}"`,
    why: `${SHELL_WHY} A reverse shell gives others control of the machine.`,
    remedy: 'Remove it.',
  },
  'shell-fetch-send': {
    group: 'safety',
    level: 'error',
    message: (a) => `Secrets, or who and where the user is, go to ${a['url']}: "${a['line']}"`,
    why: `${SHELL_WHY} Environments, key files and names of machines belong to the user.`,
    remedy: 'Remove it.',
  },
  'shell-fetch-destroy': {
    group: 'safety',
    level: 'warn',
    message: (a) => `The user's files are deleted: "${a['line']}"`,
    why: `${SHELL_WHY} Deleted files cannot be restored.`,
    remedy: 'Delete what the build itself made, by its full name.',
  },
  'shell-fetch-inline': {
    group: 'safety',
    level: 'info',
    message: (a) => `Code within a command reaches for network or processes: "${a['line']}"`,
    why: `${SHELL_WHY} Code in a string is easily overlooked.`,
    remedy: 'Put the code into a file.',
  },
  'shell-fetch-unread': {
    group: 'safety',
    level: 'info',
    message: (a) => `Shell text was read up to ${a['limit']} characters`,
    why: 'Text that the checks did not read is not cleared.',
    remedy: 'Split the file.',
  },
} as const satisfies Record<string, FindingText>;
