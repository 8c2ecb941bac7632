/** Paths whose content is somebody's secret. */
import { CREDENTIAL, FILE, TOOL_TOKEN } from './label.ts';

/** One kind of secret that is kept in files. */
interface Secret {
  readonly kind: string;
  readonly pattern: RegExp;
}

const S = String.raw`[\\/]+`;

/** Keys, wallets and logins: no program but their own has business with them. */
const CREDENTIALS: readonly Secret[] = [
  {
    kind: 'SSH keys',
    pattern: new RegExp(
      String.raw`\.ssh(?:${S}(?:id_\w+|\*|\0)?)?$|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)`,
    ),
  },
  { kind: 'password hashes', pattern: /\/etc\/(?:shadow|master\.passwd)\b/ },
  {
    kind: 'browser logins',
    pattern:
      /(?:Login Data|Cookies|Web Data|Local State|logins\.json|key[34]\.db|cookies\.sqlite|Local Extension Settings)$|User Data[\\/]+Default|BraveSoftware[\\/]+Brave-Browser|Google[\\/]+Chrome[\\/]+User Data|Opera Software[\\/]+Opera|Mozilla[\\/]+Firefox[\\/]+Profiles|Microsoft[\\/]+Edge[\\/]+User Data/i,
  },
  {
    kind: 'wallets',
    pattern:
      /wallet\.dat\b|[\\/](?:Exodus|exodus\.wallet|atomic[\\/]Local Storage|Electrum[\\/]wallets|Ethereum[\\/]keystore|\.ethereum|Zcash|Armory|bytecoin|Coinomi|Guarda|Ledger Live)\b|solana[\\/]id\.json|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa|fhbohimaelbohpjbbldcngcnapndodjp/i,
  },
  {
    kind: 'messenger tokens',
    pattern:
      /(?:discord(?:canary|ptb)?|Lightcord)[\\/]+Local Storage|Local Storage[\\/]+leveldb|Telegram Desktop[\\/]+tdata|Signal[\\/]+config\.json/i,
  },
  {
    kind: 'game sessions',
    pattern: /\.minecraft[\\/]+launcher_|Steam[\\/]+(?:config|ssfn)|\.lunarclient/i,
  },
  {
    kind: 'keychains',
    pattern:
      /Library[\\/]+Keychains|login\.keychain|\.gnupg(?:[\\/]|$)|secring\.gpg|\.local[\\/]share[\\/]keyrings/,
  },
];

/** Files in which a tool keeps its own token, and hosts that it sends the token to. */
const TOOL_TOKENS: readonly (Secret & { readonly hosts: RegExp })[] = [
  { kind: 'npm token', pattern: /\.npmrc$/, hosts: /npm|registry|verdaccio|github|localhost/ },
  { kind: 'PyPI token', pattern: /\.pypirc$/, hosts: /pypi/ },
  { kind: 'AWS credentials', pattern: /\.aws[\\/]+(?:credentials|config)$/, hosts: /aws|amazon/ },
  {
    kind: 'Google credentials',
    pattern:
      /gcloud[\\/]+(?:credentials|application_default|access_tokens)|application_default_credentials\.json$/,
    hosts: /google/,
  },
  {
    kind: 'Azure credentials',
    pattern: /\.azure[\\/]+\w*(?:token|profile)/i,
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
    hosts: /$^/,
  },
  {
    kind: 'Git credentials',
    pattern: /\.git-credentials$|\.netrc$|[\\/]gh[\\/]hosts\.yml$/,
    hosts: /git|heroku/,
  },
];

const IS_CREDENTIAL = new RegExp(CREDENTIALS.map((c) => c.pattern.source).join('|'), 'i');

/** The label of what is read from a file of one of these paths. */
export function labelOfPath(paths: readonly string[]): number {
  for (const path of paths) {
    if (credentialKind(path) !== undefined) return CREDENTIAL;
    if (toolToken(path) !== undefined) return TOOL_TOKEN;
  }
  return FILE;
}

/** What secret a path leads to, in English; `undefined` when none. */
export function credentialKind(path: string): string | undefined {
  if (path.length > 400) return undefined;
  return CREDENTIALS.find(({ pattern }) => pattern.test(path))?.kind;
}

/** Whose token a path leads to. */
export function toolToken(
  path: string,
): { readonly kind: string; readonly hosts: RegExp } | undefined {
  if (path.length > 400) return undefined;
  return TOOL_TOKENS.find(({ pattern }) => pattern.test(path));
}

/** Folders in which tools keep their credentials: who takes several whole is no tool of theirs. */
export const TOOL_FOLDER =
  /[\\/]\.(?:aws|azure|kube|docker|gnupg)[\\/]?$|[\\/]\.config[\\/](?:gcloud|gh)[\\/]?$/;

/** Constants that are kept for checks although no interface that is known gets them. */
export function isNotable(text: string): boolean {
  if (text.length < 4 || text.length > 400) return false;
  return (
    IS_CREDENTIAL.test(text) ||
    TOOL_FOLDER.test(text) ||
    /discord(?:app)?\.com\/api\/webhooks\/\d|api\.telegram\.org\/bot|stratum\+|\boast(?:ify)?\.|webhook\.site|burpcollaborator/i.test(
      text,
    )
  );
}
