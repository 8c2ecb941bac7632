/** Hosts and addresses with a special meaning: who runs them, and why that matters. */
import { wordPattern, type WordGroup } from '../parse/word-list.ts';

/** Hosts from which package managers and installers of packages download. */
export const DISTRIBUTORS = hostsUnder([
  {
    why: 'registries of npm packages and their mirrors',
    words: ['npmjs.org', 'npmjs.com', 'npmmirror.com', 'yarnpkg.com', 'jsdelivr.net', 'unpkg.com'],
  },
  { why: 'registries of Python packages', words: ['pypi.org', 'pythonhosted.org'] },
  {
    why: 'languages and their tools',
    words: [
      'nodejs.org',
      'python.org',
      'rust-lang.org',
      'crates.io',
      'golang.org',
      'gnu.org',
      'apache.org',
    ],
  },
  {
    why: 'native programs that packages download at install',
    words: [
      'electronjs.org',
      'googleapis.com',
      'microsoft.com',
      'playwright.dev',
      'mozilla.org',
      'cypress.io',
      'prisma.sh',
      'github.com',
    ],
  },
  { why: 'packages of Linux distributions', words: ['debian.org', 'ubuntu.com'] },
]);
/** Hosts of packages and programs where anybody can publish: only the path names the owner. */
export const SHARED = hostsUnder([
  { why: 'repositories and their releases', words: ['github.com', 'githubusercontent.com'] },
  { why: 'files of npm packages and repositories', words: ['jsdelivr.net', 'unpkg.com'] },
  { why: 'buckets and models', words: ['googleapis.com', 'huggingface.co'] },
]);
/** Services that record every request that reaches them. */
export const BEACONS = hostsUnder([
  {
    why: 'Burp Collaborator and Interactsh: report every request to the user who created the name',
    words: [
      'oastify.com',
      'burpcollaborator.net',
      'oast.pro',
      'oast.live',
      'oast.site',
      'oast.online',
      'oast.fun',
      'oast.me',
      'interact.sh',
      'interactsh.com',
      'bxss.me',
      'eyes.sh',
    ],
  },
  {
    why: 'inspect HTTP requests',
    words: [
      'webhook.site',
      'webhook.cool',
      'requestbin.net',
      'requestbin.com',
      'pipedream.net',
      'hookbin.com',
      'beeceptor.com',
      'requestcatcher.com',
      'requestrepo.com',
      'request.dog',
      'mockbin.org',
      'ptsv2.com',
      'ptsv3.com',
    ],
  },
  {
    why: 'inspect DNS requests',
    words: ['dnslog.cn', 'dnslog.pw', 'ceye.io', 'dnsbin.zhack.ca'],
  },
  { why: 'tokens that report who uses them', words: ['canarytokens.com', 'canarytokens.org'] },
]);
/** Sites where anyone can store text or files without an account. */
export const PASTES = hostsUnder([
  {
    why: 'anybody leaves text there without an account',
    words: [
      'pastebin.com',
      'hastebin.com',
      'paste.ee',
      'paste.rs',
      'pasted.co',
      'rentry.co',
      'rentry.org',
      'ghostbin.com',
      'ghostbin.co',
      'dpaste.com',
      'dpaste.org',
      'controlc.com',
      'termbin.com',
      'ix.io',
      'sprunge.us',
    ],
  },
  {
    why: 'anybody leaves files there without an account',
    words: [
      '0x0.st',
      'transfer.sh',
      'file.io',
      'anonfiles.com',
      'gofile.io',
      'bashupload.com',
      'catbox.moe',
      'temp.sh',
    ],
  },
]);
/** Names that forward to a port of a private machine. */
export const TUNNELS = hostsUnder([
  {
    why: "a public name for a port of a user's machine",
    words: [
      'ngrok.io',
      'ngrok.app',
      'ngrok.dev',
      'ngrok-free.app',
      'ngrok-free.dev',
      'trycloudflare.com',
      'serveo.net',
      'localtunnel.me',
      'loca.lt',
      'localhost.run',
      'lhr.life',
      'pagekite.me',
      'portmap.io',
      'pinggy.link',
      'playit.gg',
      'bore.pub',
    ],
  },
]);
/** Free names that can move to another machine at any time. */
export const DYNAMIC = hostsUnder([
  {
    why: 'free names whose address changes at any time',
    words: [
      'duckdns.org',
      'no-ip.org',
      'no-ip.com',
      'ddns.net',
      'hopto.org',
      'zapto.org',
      'sytes.net',
      'myftp.org',
      'servebeer.com',
      'dynu.net',
      'freemyip.com',
      'dyndns.org',
      'afraid.org',
      'mooo.com',
      'chickenkiller.com',
    ],
  },
  { why: 'free programs under a name of the host', words: ['repl.co'] },
]);

/** Addresses at which a messenger accepts messages from anyone who knows them. */
export const WEBHOOKS = wordPattern(
  [
    {
      why: 'Discord: webhooks, and files that its users uploaded',
      words: [
        /(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\b/,
        /cdn\.discordapp\.com\/attachments\/\d/,
      ],
    },
    { why: 'bots of Telegram', words: ['api.telegram.org/bot'] },
    { why: 'incoming webhooks of Slack', words: ['hooks.slack.com/'] },
  ],
  { before: /^https?:\/\//, flags: 'i' },
);

/** Hosts that are one of the names or below one. */
function hostsUnder(groups: readonly WordGroup[]): RegExp {
  return wordPattern(groups, { before: /^|\./, after: /$/ });
}
