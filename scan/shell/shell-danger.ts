/** The dangers of shell text: data, for the rules that read shell text. */
import { wordPattern, wordsOf } from '../parse/word-list.ts';
import { hostOf, isAddressLike, placeOf } from '../taint/address.ts';

export type DangerKind =
  /** Remote code goes to a shell or interpreter. */
  | 'fetch-run'
  /** Disguised text goes to a shell or interpreter. */
  | 'decode-run'
  /** A shell is connected to a network address. */
  | 'connect'
  /** Secrets, or the names of user and machine, are sent to an address. */
  | 'send'
  /** The user's files are deleted. */
  | 'destroy'
  /** The inline code of an interpreter uses network, processes or hidden code. */
  | 'inline'
  /** A file is fetched. */
  | 'fetch'
  /** A package is installed from an address. */
  | 'install';

export interface Danger {
  readonly kind: DangerKind;
  readonly start: number;
  readonly end: number;
  /** The address; `''` when it is not visible. */
  readonly url: string;
  /** For `send`: whether secrets are sent, not only names of user and machine. */
  readonly isSecret: boolean;
}

/** Installers that their projects document as a pipe into a shell, by host and beginning of the path. */
const KNOWN_INSTALLERS = wordsOf([
  'aka.ms/installazureclideb astral.sh/ bootstrap.pypa.io/ bun.com/ bun.sh/ claude.ai/install',
  'cli.doppler.com/ cli.github.com/ cursor.com/install deb.nodesource.com/ deno.land/',
  'dl.google.com/ dl.k8s.io/ dl.yarnpkg.com/ dot.net/v1/ elan.lean-lang.org/',
  'elastic.co/start-local fluxcd.io/install fly.io/install fnm.vercel.app/ foundry.paradigm.xyz',
  'get.docker.com get.helm.sh/ get.jetify.com/devbox get.k0s.sh get.k3s.io get.nextflow.io',
  'get.opentofu.org/ get.pnpm.io/ get.rvm.io get.scoop.sh get.sdkman.io get.volta.sh',
  'github.com/pyenv/pyenv-installer/ install.determinate.systems/ install.python-poetry.org',
  'istio.io/downloadistio just.systems/install kind.sigs.k8s.io/dl/ micro.mamba.pm/install',
  'mise.jdx.dev/ mise.run moonrepo.dev/install nixos.org/nix/ ollama.com/install',
  'opencode.ai/install packages.cloud.google.com/ packages.microsoft.com/ pixi.sh/install',
  'pyenv.run railway.app/install railway.com/install raw.githubusercontent.com/creationix/nvm/',
  'raw.githubusercontent.com/golangci/golangci-lint/',
  'raw.githubusercontent.com/helm/helm/ raw.githubusercontent.com/homebrew/install/',
  'raw.githubusercontent.com/nvm-sh/nvm/ raw.githubusercontent.com/pnpm/',
  'raw.githubusercontent.com/pyenv/ raw.githubusercontent.com/python-poetry/ repo.anaconda.com/',
  'rpm.nodesource.com/ run.linkerd.io/ rustwasm.github.io/wasm-pack/ sdk.cloud.google.com',
  'sh.rustup.rs sh.vector.dev starship.rs/ tailscale.com/install wasmtime.dev/install',
  'yarnpkg.com/install',
]);

/** Whether `url` is a well-known installer, fetched over TLS. */
export function isKnownInstaller(url: string): boolean {
  if (/^http:/i.test(url)) return false;
  const place = placeOf(url).toLowerCase();
  return KNOWN_INSTALLERS.some(
    (known) =>
      place.startsWith(known) &&
      /^(?:\.sh|\.ps1)?(?:[/?#]|$)/.test(known.endsWith('/') ? '' : place.slice(known.length)),
  );
}

/** The first address among `texts`, also as an option such as `--url=...`; a bare host counts. */
export function addressIn(texts: readonly string[]): string {
  const values = texts.map((text) => text.replace(/^--?[\w-]{1,40}=/, ''));
  const name = texts.find((text) => !text.startsWith('-') && hostOf(text) !== undefined);
  return values.find(isAddressLike) ?? name ?? '';
}

const SECRET_PLACE = wordPattern(/WORDS/i, {
  'folders and files with keys, tokens and passwords in the home folder': [
    /(?:^|[/~\\@=])\.(?:ssh|aws|gnupg|kube|azure|npmrc|pypirc|netrc|git-credentials)/,
    /(?:^|[/~\\@=])\.(?:docker\/config|config\/gcloud|config\/gh)/,
    /credentials\.json/,
  ],
  'what was typed into a shell': [/(?:^|[/~\\@=])\.(?:bash_history|zsh_history)/],
  'settings of the project with values, not their examples': [
    /(?:^|[/~\\@=])\.env(?!\w|\.(?:example|sample|template))/,
  ],
  wallets: [/(?:^|[/~\\@=])\.(?:electrum|bitcoin|ethereum|solana)/, 'wallet.dat'],
  'private keys': [/id_(?:rsa|ed25519|ecdsa|dsa)(?![\w.]*pub)/],
  'accounts of the machine': [/\/etc\/(?:passwd|shadow)/],
  'passwords that browsers and systems keep': ['login data', 'keychain'],
});

/** Whether `text` names a place where secrets are kept. */
export function namesSecretPlace(text: string): boolean {
  return SECRET_PLACE.test(text.slice(0, 2000));
}

/** Inline code that opens a connection. */
const NETWORK = wordPattern(/\bWORDS/, {
  'an address': [/https?\b/],
  JavaScript: [/fetch\s*\(/, 'XMLHttpRequest', 'axios', /dns\b/, /net\s*\.\s*connect/],
  Python: ['urlopen', 'urlretrieve', /requests\s*\./, /httpx\s*\./, /socket\b/],
  'Perl, PHP and Ruby': ['IO::Socket', 'fsockopen', 'open-uri'],
  'programs that fetch': ['curl', 'wget'],
});
/** Inline code that starts programs or runs code made at run time. */
const EXECUTION = wordPattern(/\bWORDS/, {
  JavaScript: [
    /child_process|exec(?:Sync|File|FileSync)?\s*\(|spawn(?:Sync)?\s*\(|eval\s*\(/,
    /Function\s*\(|vm\s*\./,
  ],
  Python: [/os\s*\.\s*system/, 'subprocess', 'popen', '__import__', /compile\s*\(/, /pty\s*\./],
  PHP: ['shell_exec', 'passthru'],
});
/** Inline code that decodes text from an unreadable form. */
const HIDING = wordPattern(/WORDS/, {
  JavaScript: [/\b(?:atob\s*\(|fromCharCode|unescape\s*\()/],
  Python: [/\b(?:b64decode|marshal|zlib|codecs\s*\.\s*decode)/],
  // A file may be named after the encoding.
  'the name of the encoding': [/(?<![\w/-])base64(?![/-])/],
  'escapes, and long runs of base64': [/(?:\\x[0-9a-f]{2}){6}/, /[A-Za-z0-9+/]{120}/],
});

/** How many of network, execution and disguise the inline code `text` shows. */
export function inlineTraits(text: string): Record<'network' | 'execution' | 'hiding', boolean> {
  const cut = text.slice(0, 20_000);
  return { network: NETWORK.test(cut), execution: EXECUTION.test(cut), hiding: HIDING.test(cut) };
}
