/** Paths of files that hold secrets, and other constants that indicate what code is for. */
import { wordPattern } from '../parse/word-list.ts';
import { CREDENTIAL, ENVIRONMENT, FILE, OUTPUT, TOOL_TOKEN, VARIABLE } from './label.ts';

/** One kind of secret that files hold. */
interface Secret {
  /** In English, for evidence. */
  readonly kind: string;
  readonly pattern: RegExp;
  /** Commands that print it, and names under which a keyring keeps it. */
  readonly command?: RegExp;
}

/** The secret of a tool. */
interface ToolSecret extends Secret {
  /** Parts of the names of hosts to which the tool itself sends the secret. */
  readonly hosts: RegExp;
}

/** Longer texts are no paths. */
const MAX_PATH = 400;
/** Shorter texts indicate nothing. */
const MIN_NOTABLE = 4;

/** Login databases of browsers, by file name. */
const BROWSER_FILES = wordPattern(
  [
    { why: 'Chromium', words: ['Login Data', 'Cookies', 'Web Data', 'Local State'] },
    { why: 'extensions of Chromium', words: ['Local Extension Settings'] },
    { why: 'Firefox', words: ['logins.json', /key[34]\.db/, 'cookies.sqlite'] },
  ],
  { after: /$/, flags: 'i' },
);

/** Profiles of browsers, by folder. */
const BROWSER_FOLDERS = [
  /User Data[\\/]+Default/i,
  /BraveSoftware[\\/]+Brave-Browser/i,
  /Google[\\/]+Chrome[\\/]+User Data/i,
  /Opera Software[\\/]+Opera/i,
  /Mozilla[\\/]+Firefox[\\/]+Profiles/i,
  /Microsoft[\\/]+Edge[\\/]+User Data/i,
];

/** Folders of wallets. */
const WALLET_FOLDERS = wordPattern(
  [
    { why: 'desktop wallets', words: ['Exodus', 'exodus.wallet', /atomic[\\/]Local Storage/] },
    { why: 'desktop wallets', words: ['Armory', 'Coinomi', 'Guarda', 'Ledger Live'] },
    { why: 'Bitcoin', words: [/Electrum[\\/]wallets/] },
    { why: 'Ethereum', words: [/Ethereum[\\/]keystore/, '.ethereum'] },
    { why: 'other currencies', words: ['Zcash', 'bytecoin'] },
  ],
  { before: /[\\/]/, after: /\b/, flags: 'i' },
);

/** Identifiers under which browsers store the data of wallet extensions. */
const WALLET_EXTENSIONS = [
  'nkbihfbeogaeaoehlefnkodbefgpgknn', // MetaMask
  'bfnaelmomeimhlpmgjnjophhpkkoljpa', // Phantom
  'fhbohimaelbohpjbbldcngcnapndodjp', // Binance
];

/** Keys, wallets and logins: only the program that owns them has a reason to read them. */
const CREDENTIALS: readonly Secret[] = [
  {
    kind: 'SSH keys',
    pattern: /\.ssh(?:[\\/]+(?:id_[\w*]+|\*|\0)?)?$|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)/,
  },
  { kind: 'password hashes', pattern: /\/etc\/(?:shadow|master\.passwd)\b/ },
  {
    kind: 'browser logins',
    pattern: wordPattern(
      [
        { why: 'databases', words: [BROWSER_FILES] },
        { why: 'profiles', words: BROWSER_FOLDERS },
      ],
      { flags: 'i' },
    ),
  },
  {
    kind: 'wallets',
    pattern: wordPattern(
      [
        { why: 'files', words: [/wallet\.dat\b/i, /solana[\\/]id\.json/i] },
        { why: 'folders', words: [WALLET_FOLDERS] },
        { why: 'browser extensions', words: WALLET_EXTENSIONS },
      ],
      { flags: 'i' },
    ),
  },
  {
    kind: 'messenger tokens',
    pattern: wordPattern(
      [
        { why: 'Discord', words: [/(?:discord(?:canary|ptb)?|Lightcord)[\\/]+Local Storage/i] },
        { why: 'messengers made with Electron', words: [/Local Storage[\\/]+leveldb/i] },
        { why: 'Telegram', words: [/Telegram Desktop[\\/]+tdata/i] },
        { why: 'Signal', words: [/Signal[\\/]+config\.json/i] },
      ],
      { flags: 'i' },
    ),
  },
  {
    kind: 'game sessions',
    pattern: /\.minecraft[\\/]+launcher_|Steam[\\/]+(?:config|ssfn)|\.lunarclient/i,
  },
  {
    kind: 'keychains',
    pattern: wordPattern([
      { why: 'macOS', words: [/Library[\\/]+Keychains/, 'login.keychain'] },
      { why: 'GnuPG', words: [/\.gnupg(?:[\\/]|$)/, 'secring.gpg'] },
      { why: 'GNOME', words: [/\.local[\\/]share[\\/]keyrings/] },
    ]),
    command: new RegExp(
      [
        // The entry of a program itself has another name.
        String.raw`^security (?:dump-keychain|(?=.* -\w*[wg]\b)find-\w+-password .*Safe Storage)`,
        String.raw`^gpg2? .*--export-secret-\w*keys|^secret-tool search .*--unlock`,
        String.raw`^(?:twine|aws-vault|docker-credential\S*|(?:gh|git):\S+|[\w ]+ Safe Storage)$`,
      ].join('|'),
    ),
  },
  {
    kind: 'what was typed',
    pattern:
      /\.(?:(?:ba|z|k)?sh|psql|mysql|python|node_repl|sqlite|rediscli|irb)_history$|\bfish_history$|ConsoleHost_history\.txt$/,
  },
];

/** Files in which a tool keeps its token. */
const TOOL_TOKENS: readonly ToolSecret[] = [
  {
    kind: 'npm token',
    pattern: /\.npmrc$/,
    command: /^(?:npm|pnpm|yarn) config get \S*_auth/,
    hosts: /npm|registry|verdaccio|github|localhost/,
  },
  { kind: 'npm variable', pattern: /env\w*\.(?:NPM|NODE_AUTH)_TOKEN$/, hosts: /npm|regist|github/ },
  { kind: 'PyPI token', pattern: /\.pypirc$/, hosts: /pypi/ },
  {
    kind: 'AWS credentials',
    pattern: /\.aws[\\/]+(?:credentials|config)$/,
    command: /^aws (?:configure export-credentials|sts get-session-token)|^sts\.amazonaws\.com$/,
    hosts: /aws|amazon/,
  },
  { kind: 'AWS variable', pattern: /env\w*\.AWS_SECRET_ACCESS_KEY$/, hosts: /aws|amazon/ },
  {
    kind: 'Google credentials',
    pattern: wordPattern([
      { why: 'gcloud', words: [/gcloud[\\/]+(?:credentials|application_default|access_tokens)/] },
      { why: 'client libraries', words: [/application_default_credentials\.json$/] },
    ]),
    command: /^gcloud auth .*print-\w+-token/,
    hosts: /google/,
  },
  {
    kind: 'Azure credentials',
    pattern: /\.azure[\\/]+\w*(?:token|profile)/i,
    command: /^az account get-access-token|^api:\/\/AzureADTokenExchange$/,
    hosts: /azure|microsoft|windows/,
  },
  {
    kind: 'Kubernetes credentials',
    pattern: /\.kube[\\/]+config$|serviceaccount[\\/]+token$/,
    hosts: /kube/,
  },
  {
    kind: 'Docker credentials',
    pattern: /\.docker[\\/]+config\.json$/,
    hosts: /docker|registry|ghcr|gcr/,
  },
  {
    kind: 'environment file',
    pattern: /(?:^|[\\/])\.env(?:\.(?:local|production|development|staging))?$/,
    // No tool sends it.
    hosts: /$^/,
  },
  {
    kind: 'Git credentials',
    pattern: /\.git-credentials$|\.netrc$|[\\/]gh[\\/]hosts\.yml$/,
    command: /^(?:gh|glab) auth (?:token|status .*-t)|^git credential fill/,
    hosts: /git|heroku/,
  },
  {
    kind: 'Git variable',
    pattern:
      /env\w*\.(?:(?:GITHUB|GH|GITLAB|CI_JOB)_TOKEN|ACTIONS_(?:RUNTIME|ID_TOKEN_REQUEST)_TOKEN)$/,
    hosts: /git|ghcr|azure/,
  },
  {
    kind: 'token of an assistant',
    pattern:
      /\.claude(?:[\\/]\.credentials)?\.json$|\.codex[\\/]auth\.json$|\.gemini[\\/]oauth_creds\.json$|github-copilot[\\/](?:apps|hosts)\.json$/,
    hosts: /anthropic|claude|openai|chatgpt|google|github/,
  },
  {
    kind: 'token of a package manager or a cloud',
    pattern:
      /\.(?:cargo|gem)[\\/]credentials(?:\.toml)?$|\.composer[\\/]auth\.json$|\.vault-token$|\.terraform\.d[\\/]credentials|\.oci[\\/]config$|\.databrickscfg$|\.pgpass$|rclone\.conf$|\.s3cfg$/,
    hosts: /crates|rubygems|packagist|git|vault|terraform|oracle|databricks/,
  },
];

/** Hosts of a cloud where anybody can keep files. */
const BUCKETS =
  /\.blob\.core\.windows\.net$|(?:^|\.)s3[\w.-]{0,60}\.amazonaws\.com$|storage\.googleapis\.com$/;

/** Folders in which tools keep their credentials: code that reads several whole folders is none of these tools. */
export const TOOL_FOLDER =
  /[\\/]\.(?:aws|azure|kube|docker|gnupg)[\\/]?$|[\\/]\.config[\\/](?:gcloud|gh)[\\/]?$/;

/** Constants that rules need although no known API receives them. */
const NOTABLE = wordPattern(
  [
    { why: 'paths of credentials', words: CREDENTIALS.map(({ pattern }) => pattern) },
    {
      why: 'addresses of messengers',
      words: [/discord(?:app)?\.com\/api\/webhooks\/\d/, 'api.telegram.org/bot'],
    },
    { why: 'mining pools', words: ['stratum+'] },
    {
      why: 'hosts that record requests',
      words: [/\boast(?:ify)?\./, 'webhook.site', 'burpcollaborator'],
    },
  ],
  { flags: 'i' },
);

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
  if (CREDENTIALS.some(({ command }) => command?.test(text) === true)) return CREDENTIAL;
  return TOOL_TOKENS.some(({ command }) => command?.test(text) === true) ? TOOL_TOKEN : OUTPUT;
}

/** The label of an environment variable: that of a tool holds its token, as its file does. */
export function labelOfVariable(what: string): number {
  return toolToken(what) === undefined ? VARIABLE : VARIABLE | TOOL_TOKEN;
}

/** The kind of credential at a path, in English; `undefined` when it has none. */
export function credentialKind(path: string): string | undefined {
  if (path.length > MAX_PATH) return undefined;
  return CREDENTIALS.find(({ pattern }) => pattern.test(path))?.kind;
}

/** The token of a tool at a path; `undefined` when it has none. */
export function toolToken(path: string): Pick<ToolSecret, 'kind' | 'hosts'> | undefined {
  if (path.length > MAX_PATH) return undefined;
  return TOOL_TOKENS.find(
    ({ pattern, command }) => pattern.test(path) || command?.test(path) === true,
  );
}

/** Whether a tool sends its token to `host`; a name such as `npm-mirror` is no name of the tool. */
export function isOwnHost({ hosts }: Pick<ToolSecret, 'hosts'>, host: string): boolean {
  if (BUCKETS.test(host)) return false;
  return host.split('.').some((part) => hosts.test(part) && !/-(?!registry$)/.test(part));
}

/** Whether a constant of the code indicates what the code is for. */
export function isNotable(text: string): boolean {
  if (text.length < MIN_NOTABLE || text.length > MAX_PATH) return false;
  return NOTABLE.test(text) || TOOL_FOLDER.test(text);
}
