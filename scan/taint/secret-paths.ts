/** Paths of files that hold secrets, and other constants that indicate what code is for. */
import { wordPattern, wordsOf } from '../parse/word-list.ts';
import { suspicionOf } from './address.ts';
import { isOpen, isRented } from './known-hosts.ts';
import * as labels from './label.ts';

const { CREDENTIAL, ENVIRONMENT, FILE, OUTPUT, TOOL_TOKEN, VARIABLE } = labels;

/** What only the user should have: it is followed through files. */
export const SECRETS =
  ENVIRONMENT | CREDENTIAL | TOOL_TOKEN | labels.CLIPBOARD | labels.SCREEN | labels.KEYBOARD;

/** The secret of a tool. */
interface ToolSecret {
  /** In English, for evidence. */
  readonly kind: string;
  readonly pattern: RegExp;
  /** Parts of the names of hosts to which the tool itself sends the secret. */
  readonly hosts: RegExp;
  /** Commands that print it, and names under which a keyring keeps it. */
  readonly command?: RegExp | undefined;
}

/** Longer texts are no paths. */
const MAX_PATH = 400;
/** Shorter texts indicate nothing. */
const MIN_NOTABLE = 4;

/** Login databases of browsers, by file name. */
const BROWSER_FILES = wordPattern(/WORDS$/i, {
  Chromium: ['Login Data', 'Cookies', 'Web Data', 'Local State'],
  'extensions of Chromium': ['Local Extension Settings'],
  Firefox: ['logins.json', /key[34]\.db/, 'cookies.sqlite'],
});

/** Folders of wallets. */
const WALLET_FOLDERS = wordPattern(/[\\/]WORDS\b/i, {
  'desktop wallets': [
    'Exodus',
    'exodus.wallet',
    /atomic[\\/]Local Storage/,
    ...wordsOf(['Armory Coinomi Guarda']),
    'Ledger Live',
  ],
  Bitcoin: [/Electrum[\\/]wallets/],
  Ethereum: [/Ethereum[\\/]keystore/, '.ethereum'],
  'other currencies': ['Zcash', 'bytecoin'],
});

/** Code that runs in the messenger itself. */
export const IN_DISCORD = /webpackChunkdiscord_app/;

/** Keys, wallets and logins: only the program that owns them has a reason to read them. */
const CREDENTIALS = Object.entries<RegExp>({
  'SSH keys':
    /\.ssh(?:[\\/]+(?:id_[\w*]+|[*\0][^.\n]*(?:\.(?:pem|key))?)?)?$|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)/,
  'password hashes': /\/etc\/(?:shadow|master\.passwd)\b/,
  'browser logins': wordPattern(/WORDS/i, {
    databases: [BROWSER_FILES],
    'folders of profiles': [
      /User Data[\\/]+Default/,
      /BraveSoftware[\\/]+Brave-Browser/,
      /(?:Google[\\/]+|google-)Chrome[\\/]+(?:User Data|Default|Profile)/,
      /Opera Software[\\/]+Opera/,
      /Mozilla[\\/]+Firefox[\\/]+(?:Profiles|[*\0])/,
      /Microsoft[\\/]+Edge[\\/]+User Data/,
    ],
  }),
  wallets: wordPattern(/WORDS/i, {
    files: [/wallet\.dat\b/i, /solana[\\/]id\.json/i],
    folders: [WALLET_FOLDERS],
    'MetaMask, Phantom and Binance in browsers': wordsOf([
      'nkbihfbeogaeaoehlefnkodbefgpgknn bfnaelmomeimhlpmgjnjophhpkkoljpa',
      'fhbohimaelbohpjbbldcngcnapndodjp',
    ]),
  }),
  'messenger tokens': wordPattern(/WORDS/i, {
    Discord: [/(?:discord(?:canary|ptb)?|Lightcord)[\\/]+Local Storage/i, IN_DISCORD],
    'messengers made with Electron': [/Local Storage[\\/]+leveldb/i],
    Telegram: [/Telegram Desktop[\\/]+tdata/i],
    Signal: [/Signal[\\/]+config\.json/i],
  }),
  'game sessions': /\.minecraft[\\/]+launcher_|Steam[\\/]+(?:config|ssfn)|\.lunarclient/i,
  keychains: wordPattern(/WORDS/, {
    macOS: [/Library[\\/]+Keychains/, 'login.keychain'],
    GnuPG: [/\.gnupg(?:[\\/]|$)/, 'secring.gpg'],
    GNOME: [/\.local[\\/]share[\\/]keyrings/],
  }),
  'what was typed': wordPattern(/WORDS$/, {
    shells: [/\.(?:(?:ba|z|k)?sh|psql|mysql|python|node_repl|sqlite|rediscli|irb)_history/],
    others: [/\bfish_history/, 'ConsoleHost_history.txt'],
  }),
});

/** Commands that print what a keychain holds, and entries of keychains: the entry of a program itself has another name. */
const KEYCHAIN_COMMAND = new RegExp(
  [
    String.raw`^security (?:dump-keychain|(?=.* -\w*[wg]\b)find-\w+-password .*Safe Storage)`,
    String.raw`^gpg2? .*--export-secret-\w*keys|^secret-tool search .*--unlock`,
    String.raw`^(?:twine|aws-vault|docker-credential\S*|(?:gh|git):\S+|[\w ]+ Safe Storage)$`,
  ].join('|'),
);

const NO_HOST = /(?!)/;
/** Files in which a tool keeps its token. */
const TOOL_TOKENS: readonly ToolSecret[] = [
  tool(
    'npm token',
    /\.npmrc$/,
    /npm|registry|verdaccio|github|localhost/,
    /^(?:npm|pnpm|yarn) config get \S*_auth/,
  ),
  tool('npm variable', /env\w*\.(?:NPM|NODE_AUTH)_TOKEN$/, /npm|regist|github/),
  tool('PyPI token', /\.pypirc$/, /pypi/),
  tool(
    'AWS credentials',
    /\.aws(?:[\\/]+(?:c(?:red|onf)\w*[*\0]?|[*\0]+)?)?$/,
    /aws|amazon/,
    /^aws (?:configure export-credentials|sts get-session-token)|^sts\.amazonaws\.com$/,
  ),
  tool('AWS variable', /env\w*\.AWS_SECRET_ACCESS_KEY$/, /aws|amazon/),
  tool(
    'Google credentials',
    wordPattern(/WORDS/, {
      gcloud: [/gcloud[\\/]+(?:credentials|application_default|access_tokens|[*\0])/],
      'client libraries': [/application_default_credentials\.json$/],
    }),
    /google/,
    // An identity token is for the service that its audience names.
    /^gcloud auth .*print-(?:access|refresh)-token/,
  ),
  tool(
    'Azure credentials',
    /\.azure[\\/]+(?:[*\0]|\w*(?:token|profile))/i,
    /azure|microsoft|windows/,
    /^az account get-access-token|^api:\/\/AzureADTokenExchange$/,
  ),
  tool(
    'Kubernetes credentials',
    /\.kube(?:[\\/]+(?:config|[*\0]+)?)?$|serviceaccount[\\/]+token$/,
    /kube/,
  ),
  tool(
    'Docker credentials',
    /\.docker(?:[\\/]+(?:config\.json|[*\0]+)?)?$/,
    /docker|registry|ghcr|gcr/,
  ),
  // No tool sends it.
  tool(
    'environment file',
    /(?:^|[\\/])\.env(?:\.(?:local|production|development|staging))?$/,
    NO_HOST,
  ),
  tool(
    'Git credentials',
    /\.git-credentials$|\.netrc$|[\\/]gh[\\/]hosts\.yml$/,
    /git|heroku/,
    /^(?:gh|glab) auth (?:token|status .*-t)|^git credential fill/,
  ),
  tool(
    'Git variable',
    /env\w*\.(?:(?:GITHUB|GH|GITLAB|CI_JOB)_TOKEN|ACTIONS_(?:RUNTIME|ID_TOKEN_REQUEST)_TOKEN)$/,
    /git|ghcr|azure/,
  ),
  tool(
    'token of an assistant',
    /\.claude(?:[\\/]\.credentials)?\.json$|\.codex[\\/]auth\.json$|\.gemini[\\/]oauth_creds\.json$|github-copilot[\\/](?:apps|hosts)\.json$/,
    /anthropic|claude|openai|chatgpt|google|github/,
  ),
  tool(
    'token of a package manager or a cloud',
    /\.(?:cargo|gem)[\\/]credentials(?:\.toml)?$|\.composer[\\/]auth\.json$|\.vault-token$|\.terraform\.d[\\/]credentials|\.oci[\\/]config$|\.databrickscfg$|\.pgpass$|rclone\.conf$|\.s3cfg$/,
    /crates|rubygems|packagist|git|vault|terraform|oracle|databricks/,
  ),
  tool(
    'findings of a secret scanner',
    NO_HOST,
    NO_HOST,
    /^(?:\S{0,300}[\\/])?(?:trufflehog|gitleaks|ggshield|noseyparker|kingfisher|detect-secrets|titus)(?:\.exe)?(?:\s|$)/,
  ),
];

function tool(kind: string, pattern: RegExp, hosts: RegExp, command?: RegExp): ToolSecret {
  return { kind, pattern, hosts, command };
}

/** Folders in which tools keep their credentials: code that reads several whole folders is none of these tools. */
export const TOOL_FOLDER =
  /[\\/]\.(?:aws|azure|kube|docker|gnupg)[\\/]?$|[\\/]\.config[\\/](?:gcloud|gh)[\\/]?$/;

/** Constants that rules need although no known API receives them. */
const NOTABLE = wordPattern(/WORDS/i, {
  'paths of credentials': CREDENTIALS.map(([, pattern]) => pattern),
  'addresses of messengers': [/discord(?:app)?\.com\/api\/webhooks\/\d/, 'api.telegram.org/bot'],
  'mining pools': ['stratum+'],
  'hosts that record requests': [/\boast(?:ify)?\./, 'webhook.site', 'burpcollaborator'],
});

/** The label of the content of a file with one of these paths. */
export function labelOfPath(paths: readonly string[]): number {
  for (const path of paths) {
    if (/\/proc\/[^/]{1,20}\/environ$/.test(path)) return ENVIRONMENT;
    if (credentialKind(path) !== undefined) return CREDENTIAL;
    if (toolToken(path) !== undefined) return TOOL_TOKEN;
  }
  return FILE;
}

/** The label of the output of a command; also of the entry of a keyring with this name. */
export function labelOfCommand(text: string): number {
  if (text.length > MAX_PATH) return OUTPUT;
  const printed = /^(?:cat|type|head|tail|base64) (?:-\S+ )?(\S+)$/.exec(text)?.[1];
  const label = printed === undefined ? FILE : labelOfPath([printed]);
  if (label !== FILE) return label;
  if (KEYCHAIN_COMMAND.test(text)) return CREDENTIAL;
  return TOOL_TOKENS.some(({ command }) => command?.test(text) === true) ? TOOL_TOKEN : OUTPUT;
}

/** The label of an environment variable: that of a tool holds its token, as its file does. */
export function labelOfVariable(what: string): number {
  return toolToken(what) === undefined ? VARIABLE : VARIABLE | TOOL_TOKEN;
}

/** The kind of credential at a path, in English; `undefined` when it has none. */
export function credentialKind(path: string): string | undefined {
  if (path.length > MAX_PATH) return undefined;
  return CREDENTIALS.find(([, pattern]) => pattern.test(path))?.[0];
}

/** The token of a tool at a path; `undefined` when it has none. */
export function toolToken(path: string): ToolSecret | undefined {
  if (path.length > MAX_PATH) return undefined;
  return TOOL_TOKENS.find(
    ({ pattern, command }) => pattern.test(path) || command?.test(path) === true,
  );
}

/** The tool whose token a command prints. */
export function tokenPrinted(text: string): ToolSecret | undefined {
  return TOOL_TOKENS.find(({ command }) => command?.test(text.slice(0, MAX_PATH)) === true);
}

/**
 * Whether a tool sends its token to `host`; a name such as `npm-mirror` is no name of the tool.
 * @param isBody the token is content, and not the authorization of a request: only the service itself may get it
 */
export function isOwnHost({ hosts }: ToolSecret, host: string, isBody: boolean): boolean {
  if (isRented(host) || suspicionOf(`https://${host}/`) !== undefined) return false;
  if (isBody && isOpen(host)) return false;
  const parts = host.split('.').slice(isBody ? -2 : 0);
  return parts.some((part) => hosts.test(part) && !/-(?!registry$)/.test(part));
}

/** Whether a constant of the code indicates what the code is for. */
export function isNotable(text: string): boolean {
  if (text.length < MIN_NOTABLE || text.length > MAX_PATH) return false;
  return NOTABLE.test(text) || TOOL_FOLDER.test(text);
}
