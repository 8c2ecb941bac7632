/** Hosts: which are on this machine, and which nobody publishes under. */
import { UNKNOWN } from '../taint/value.ts';

/** Why a host is suspicious. */
export type HostKind = 'address' | 'beacon' | 'webhook' | 'paste' | 'tunnel' | 'dynamic';

/** The host of an address, or of a bare host name; `undefined` when it is not constant. */
export function hostOf(text: string): string | undefined {
  const match =
    /^(?:[a-z][a-z0-9+.-]{1,20}:)?\/\/(?:[^/?#@\0]{0,200}@)?([^/?#:\0]{1,253}|\[[0-9a-f:]{2,45}\])/i.exec(
      text,
    );
  const bare = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,20}(?=[/:]|$)/.exec(text)?.[0];
  const host = match?.[1] ?? (bare !== undefined && FILE_NAME.test(bare) ? undefined : bare);
  if (host === undefined || host.includes(UNKNOWN)) return undefined;
  return /^(?:[\w.-]+|\[[0-9a-f:]+\])$/i.test(host) && /[a-z\d]/i.test(host)
    ? host.toLowerCase()
    : undefined;
}

/** Only this machine, a private network or an example. */
export function isLocal(host: string): boolean {
  return (
    /^(?:localhost|.*\.(?:localhost|local|internal|test|invalid|example|lan)|(?:.*\.)?example\.(?:com|org|net))$/.test(
      host,
    ) ||
    /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|22[4-9]\.|2[345]\d\.)/.test(
      host,
    ) ||
    /^\[?(?:::1|f[cd]|fe80)/.test(host)
  );
}

/** Whether packages of the ecosystems or their tools are published there: a download from it is an install. */
export function isDistributor(host: string): boolean {
  return DISTRIBUTORS.test(host);
}

/** @param text the whole address */
export function suspicionOf(text: string): HostKind | undefined {
  const host = hostOf(text);
  if (host === undefined || isLocal(host)) return undefined;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || host.startsWith('[')) {
    return /^(?:1\.1\.1\.1|1\.0\.0\.1|8\.8\.[48]\.[48]|9\.9\.9\.9)$/.test(host)
      ? undefined
      : 'address';
  }
  if (BEACONS.test(host)) return 'beacon';
  if (
    /^https?:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\b|^https?:\/\/api\.telegram\.org\/bot|^https?:\/\/hooks\.slack\.com\/|^https?:\/\/cdn\.discordapp\.com\/attachments\/\d/i.test(
      text,
    )
  ) {
    return 'webhook';
  }
  if (PASTES.test(host)) return 'paste';
  if (TUNNELS.test(host)) return 'tunnel';
  return DYNAMIC.test(host) ? 'dynamic' : undefined;
}

/** Names of files that look like hosts; no domain ends so. */
const FILE_NAME =
  /\.(?:ini|json|ya?ml|txt|html?|xml|css|cfg|toml|conf|log|csv|png|jpe?g|gif|svg|db|sqlite|lock|map|js|mjs|cjs|ts|exe|dll|gz|tar|whl|jar)$/i;
const DISTRIBUTORS = endingIn(
  'npmjs.org npmjs.com npmmirror.com yarnpkg.com nodejs.org pypi.org pythonhosted.org python.org electronjs.org googleapis.com microsoft.com playwright.dev mozilla.org rust-lang.org crates.io golang.org cypress.io prisma.sh github.com jsdelivr.net unpkg.com apache.org debian.org ubuntu.com gnu.org',
);
const BEACONS = endingIn(
  'oastify.com burpcollaborator.net oast.pro oast.live oast.site oast.online oast.fun oast.me interact.sh interactsh.com webhook.site requestbin.net requestbin.com pipedream.net hookbin.com beeceptor.com requestcatcher.com dnslog.cn ceye.io canarytokens.com canarytokens.org bxss.me eyes.sh dnslog.pw requestrepo.com mockbin.org ptsv2.com ptsv3.com webhook.cool request.dog dnsbin.zhack.ca',
);
const PASTES = endingIn(
  'pastebin.com hastebin.com paste.ee rentry.co rentry.org ghostbin.com ghostbin.co dpaste.com dpaste.org controlc.com termbin.com ix.io 0x0.st transfer.sh file.io anonfiles.com gofile.io bashupload.com catbox.moe temp.sh paste.rs pasted.co sprunge.us',
);
const TUNNELS = endingIn(
  'ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com serveo.net localtunnel.me loca.lt localhost.run lhr.life pagekite.me portmap.io pinggy.link playit.gg bore.pub',
);
const DYNAMIC = endingIn(
  'duckdns.org no-ip.org no-ip.com ddns.net hopto.org zapto.org sytes.net myftp.org servebeer.com dynu.net freemyip.com dyndns.org afraid.org mooo.com chickenkiller.com repl.co',
);

function endingIn(names: string): RegExp {
  return new RegExp(`(?:^|\\.)(?:${names.replaceAll('.', '\\.').split(' ').join('|')})$`);
}
