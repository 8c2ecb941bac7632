/** Hosts by name: where packages are published, and where nobody publishes legitimately. */
import { wordPattern, type WordGroups, wordsOf } from '../parse/word-list.ts';

/** Whether packages of the ecosystems or their tools are published there: a download from it is an install. */
export const isDistributor = hostsUnder({
  'registries of npm packages and their mirrors': wordsOf([
    'npmjs.org npmjs.com npmmirror.com yarnpkg.com jsdelivr.net unpkg.com',
  ]),
  'registries of Python packages': ['pypi.org', 'pythonhosted.org'],
  'languages and their tools': wordsOf([
    'nodejs.org python.org rust-lang.org crates.io golang.org gnu.org apache.org',
  ]),
  'native programs that packages download at install': wordsOf([
    'electronjs.org googleapis.com microsoft.com playwright.dev mozilla.org cypress.io',
    'prisma.sh github.com',
  ]),
  'packages of Linux distributions': ['debian.org', 'ubuntu.com'],
  'mirrors of whole registries, and registries of their own': wordsOf([
    'npm.taobao.org cnpmjs.org mirrors.aliyun.com mirrors.cloud.tencent.com npm.jsr.io',
    'mirrors.huaweicloud.com repo.huaweicloud.com tuna.tsinghua.edu.cn mirrors.ustc.edu.cn',
    'pypi.doubanio.com npm.fontawesome.com conda.anaconda.org pypi.anaconda.org',
  ]),
});
/** Whether a vendor publishes packages and programs there. */
export const isPublisher = hostsUnder({
  'vendors, under any name': [
    /(?:github|gitlab|pytorch|nvidia|google|microsoft|azure|amazonaws|aws|astral|docker)\.(?:com|org|sh|dev|io)/,
  ],
});
/** Whether anybody can publish packages and programs there, so that only the path names the owner. */
export const isShared = hostsUnder({
  'repositories and their releases': ['github.com', 'githubusercontent.com'],
  'files of npm packages and repositories': ['jsdelivr.net', 'unpkg.com'],
  'buckets and models': ['googleapis.com', 'huggingface.co'],
});
/** Whether strangers read there what anybody writes: never a reason to send something there. */
export const isOpen = hostsUnder({
  'what accounts write there, others read': wordsOf([
    'api.github.com uploads.github.com gist.github.com npm.pkg.github.com gitlab.com codeberg.org',
    'api.bitbucket.org gitea.com gitee.com huggingface.co registry.npmjs.org upload.pypi.org',
    'sheets.googleapis.com docs.googleapis.com www.googleapis.com docs.google.com forms.gle',
    'drive.google.com forms.office.com graph.microsoft.com firebaseio.com supabase.co',
    'firestore.googleapis.com firebasestorage.googleapis.com storage.googleapis.com',
    'blob.core.windows.net r2.cloudflarestorage.com digitaloceanspaces.com backblazeb2.com',
  ]),
  'buckets of Amazon': [/s3[\w-]*(?:\.[\w-]+)?\.amazonaws\.com/],
});
/** Whether programs of strangers run under a name of a cloud or code host. */
export const isRented = hostsUnder({
  'functions of Amazon': [/execute-api\.[\w-]+\.amazonaws\.com/, /lambda-url\.[\w-]+\.on\.aws/],
  others: wordsOf([
    'awsapprunner.com elasticbeanstalk.com amplifyapp.com script.google.com cloudfunctions.net',
    'run.app appspot.com web.app azurewebsites.net azurecontainerapps.io azurestaticapps.net',
    'azure-api.net cloudapp.azure.com azurefd.net azureedge.net github.io gitlab.io hf.space',
  ]),
});
/** Whether a service records every request that reaches it. */
export const isBeacon = hostsUnder({
  'Burp Collaborator and Interactsh: report every request to the user who created the name':
    wordsOf([
      'oastify.com burpcollaborator.net oast.pro oast.live oast.site oast.online oast.fun',
      'oast.me interact.sh interactsh.com bxss.me eyes.sh',
    ]),
  'inspect HTTP requests': wordsOf([
    'webhook.site webhook.cool requestbin.net requestbin.com pipedream.net hookbin.com',
    'beeceptor.com requestcatcher.com requestrepo.com request.dog mockbin.org ptsv2.com',
    'ptsv3.com',
  ]),
  'inspect DNS requests': ['dnslog.cn', 'dnslog.pw', 'ceye.io', 'dnsbin.zhack.ca'],
  'tokens that report who uses them': ['canarytokens.com', 'canarytokens.org'],
});
/** Whether anyone can store text or files there without an account. */
export const isPaste = hostsUnder({
  'anybody leaves text there without an account': wordsOf([
    'pastebin.com hastebin.com paste.ee paste.rs pasted.co rentry.co rentry.org',
    'ghostbin.com ghostbin.co dpaste.com dpaste.org controlc.com termbin.com ix.io',
    'sprunge.us',
  ]),
  'anybody leaves files there without an account': wordsOf([
    '0x0.st transfer.sh file.io anonfiles.com gofile.io bashupload.com catbox.moe temp.sh',
  ]),
});
/** Whether a name forwards to a port of a private machine. */
export const isTunnel = hostsUnder({
  "a public name for a port of a user's machine": wordsOf([
    'ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com',
    'serveo.net localtunnel.me loca.lt localhost.run lhr.life pagekite.me portmap.io',
    'pinggy.link playit.gg bore.pub',
  ]),
});
/** Whether a free name can move to another machine at any time. */
export const isDynamic = hostsUnder({
  'free names whose address changes at any time': wordsOf([
    'duckdns.org no-ip.org no-ip.com ddns.net hopto.org zapto.org sytes.net myftp.org',
    'servebeer.com dynu.net freemyip.com dyndns.org afraid.org mooo.com chickenkiller.com',
  ]),
  'free programs under a name of the host': ['repl.co'],
});

/** Addresses at which a messenger accepts messages from anyone who knows them. */
export const WEBHOOKS: RegExp = wordPattern(/^WORDS/i, {
  'Discord: webhooks, and files that its users uploaded': [
    /(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\b/,
    /cdn\.discordapp\.com\/attachments\/\d/,
  ],
  'bots of Telegram': ['api.telegram.org/bot'],
  'incoming webhooks of Slack': ['hooks.slack.com/'],
});

/** Whether a host is one of the names or below one. */
function hostsUnder(groups: WordGroups): (host: string) => boolean {
  const names = wordPattern(/(?:^|\.)WORDS$/, groups);
  return (host) => names.test(host);
}
