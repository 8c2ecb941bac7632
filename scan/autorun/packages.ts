/** What the files of a project cause package managers, Python and git to run. */
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import { wordPattern } from '../parse/word-list.ts';

/** Settings that make npm run, trust or fetch something that the project does not declare. */
const NPMRC: readonly (readonly [RegExp, string, FindingLevel])[] = [
  [
    /^(?:script-shell|shell|onload-script|init-module|git|python|editor|viewer)$/,
    'a program of its choice',
    'warn',
  ],
  [/^node-options$/, 'what Node loads', 'warn'],
  [/:tokenhelper$/, 'a program for tokens', 'error'],
  [/^ignore-scripts$/, 'install scripts', 'warn'],
  [/^(?:strict-ssl|cafile|ca|proxy|https-proxy|noproxy)$/, 'an unsafe connection', 'warn'],
  [/^(?:@[^:]+:)?registry$/, 'packages of another registry', 'info'],
];

/** `.npmrc`. */
export function readNpmrc(text: string): AutorunEntry[] {
  return settings(text, '=').flatMap(({ key, value, line }) => {
    const [, what, level] = NPMRC.find(([pattern]) => pattern.test(key)) ?? [];
    if (what === undefined || level === undefined) return [];
    if (
      (key === 'ignore-scripts' && value !== 'false') ||
      (key === 'strict-ssl' && value !== 'false')
    )
      return [];
    const isPlain = key.endsWith('registry') && value.startsWith('http:');
    return [whole(`${what} (${key})`, 'npm runs', isPlain ? 'warn' : level, line)];
  });
}

const YARN_LEVELS: ReadonlyMap<string, FindingLevel> = new Map([
  ['yarnpath', 'warn'],
  ['plugins', 'warn'],
  ['unsafehttpwhitelist', 'warn'],
  ['enablestrictssl', 'warn'],
  ['npmregistryserver', 'info'],
  ['enablescripts', 'info'],
]);

/** `.yarnrc.yml`. */
export function readYarnrc(text: string): AutorunEntry[] {
  return settings(text, ':').flatMap(({ key, value, line }) => {
    const level = YARN_LEVELS.get(key);
    if (level === undefined || (key === 'enablestrictssl' && value !== 'false')) return [];
    return [whole(`what "${key}" names`, 'yarn runs', level, line)];
  });
}

function settings(text: string, separator: string): { key: string; value: string; line: string }[] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf(separator === ':' ? ':' : '=');
    if (at <= 0 || /^\s*[#;]/.test(line) || (separator === ':' && /^\s/.test(line))) return [];
    return [
      {
        key: line.slice(0, at).trim().toLowerCase(),
        value: line
          .slice(at + 1)
          .trim()
          .replaceAll(/["']/g, ''),
        line,
      },
    ];
  });
}

/** `<!(command)` in a binding.gyp is run by node-gyp, which npm starts where it finds the file. */
export function readGyp(text: string): AutorunEntry[] {
  const commands = Array.from(text.matchAll(/<!@?\(([^)\n]{0,500})\)?/g), ([near, shell = '']) => ({
    near,
    shell,
  }));
  return [
    whole('node-gyp', 'npm installs', 'info'),
    ...commands.map(({ near, shell }) => whole('a command', 'npm installs', 'info', near, shell)),
  ];
}

/** A `.pth` file: Python runs its lines that begin with `import`. */
export function readPth(text: string): AutorunEntry[] {
  const line = text.split('\n').find((l) => /^import[ \t]/.test(l));
  if (line === undefined) return [];
  // One line that does more than import a module is a program.
  const isProgram =
    /\b(?:exec|eval|subprocess|os\s*\.\s*(?:system|popen)|urllib|requests|socket|base64|__import__)\b/.test(
      line,
    );
  return [whole('a line of code', 'any Python program starts', isProgram ? 'error' : 'warn', line)];
}

/** What a custom install command uses only when it does more than copy files and start build tools. */
const REACHES = wordPattern(/WORDS/, {
  'start a file with its program': [/\bos\s*\.\s*startfile/],
  'reach the network': [/\b(?:urllib\w*|requests|httpx|socket)\b/],
  'call machine code, or restore hidden code': [/\b(?:ctypes|base64|codecs|marshal|zlib)\b/],
  'run code made at run time': [/\b(?:exec|eval|__import__)\s*\(/],
});

const COMMAND_CLASS =
  /^class[ \t]+(\w{1,80})[ \t]*\(([^)\n]{0,200})\)[^\n]*(?:\n(?:[ \t][^\n]*)?)*/gm;
const FUNCTION = /^(?:async[ \t]+)?def[ \t]+(\w{1,80})[^\n]*(?:\n(?:[ \t)][^\n]*)?)*/gm;

/** The classes with which `cmdclass` replaces pip's commands, and the functions that they name. */
function commandCode(text: string): string {
  const given = Array.from(
    text.matchAll(/["'](?:install|develop|egg_info|build_py)["']\s{0,9}:\s{0,9}(\w{1,80})/g),
    ([, name]) => name,
  );
  const classes = [...text.matchAll(COMMAND_CLASS)].filter(
    ([, name, bases = '']) =>
      given.includes(name) || /\b_?(?:install|develop|egg_info|build_py)\b/i.test(bases),
  );
  if (classes.length === 0) return text;
  const bodies = classes.map(([body]) => body).join('\n');
  const functions = [...text.matchAll(FUNCTION)].filter(([, name = '']) =>
    bodies.includes(`${name}(`),
  );
  return [bodies, ...functions.map(([body]) => body)].join('\n');
}

/** `setup.py`. */
export function readSetup(text: string): AutorunEntry[] {
  const found = [whole('the module', 'pip installs from source', 'info')];
  // `cmdclass` replaces what pip calls: only the commands that every install runs are reported.
  const cmdclass = /\bcmdclass\b/.exec(text);
  const commands =
    /["'](install|develop|egg_info|build_py)["']\s*:|\bclass\s+\w+\((?:\w+\.)*(install|develop|egg_info|build_py)\)/.exec(
      text,
    );
  if (cmdclass !== null && commands !== null) {
    found.push(
      whole(
        `a custom command "${commands[1] ?? commands[2]}"`,
        'pip installs from source',
        REACHES.test(commandCode(text)) ? 'warn' : 'info',
        commands[0],
      ),
    );
  }
  return found;
}

/** `.gitconfig`. */
export function readGitconfig(text: string): AutorunEntry[] {
  const match =
    /^[ \t]*(?:fsmonitor|hookspath|sshcommand|pager|editor|smudge|clean|process|textconv|helper)[ \t]*=\s{0,20}\S[^\n]{0,200}/im.exec(
      text,
    );
  return match === null ? [] : [whole('a program of its choice', 'git runs', 'warn', match[0])];
}

/** What runs, when, and how bad that is, regardless of its shell text, which is judged separately. */
export interface AutorunEntry {
  readonly what: string;
  readonly when: string;
  readonly level: FindingLevel;
  /** Shell text that runs; `''` when it is not shell text. */
  readonly shell: string;
  /** A part of the file's text, from which the place is computed. */
  readonly near: string;
}

/** A finding about the file as a whole, or about the place of a part of its text. */
export function whole(
  what: string,
  when: string,
  level: FindingLevel,
  near = '',
  shell = '',
): AutorunEntry {
  return { what, when, level, shell, near };
}

/** `command` and `args` of a settings object as one line of shell text. */
export function commandLine(value: Readonly<Record<string, unknown>>): string {
  const args = Array.isArray(value['args']) ? value['args'] : [];
  const parts = [value['command'], ...args].filter(
    (part): part is string => typeof part === 'string',
  );
  return parts
    .map((part, place) => (place > 0 && /\s/.test(part) ? `'${part.replaceAll("'", '')}'` : part))
    .join(' ');
}
