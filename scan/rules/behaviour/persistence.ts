/** Code that arranges to run again: start files, schedules, other packages, publishing itself. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { FETCHED } from '../../taint/label.ts';
import type { Value } from '../../taint/value.ts';
import { sequence, wordPattern } from '../../parse/word-list.ts';
import { once } from '../../once.ts';
import { commandFindings, filesAtInstall } from '../../evidence/commands.ts';
import { commandsOf } from '../../evidence/fact-evidence.ts';
import { found, quote } from '../../evidence/fact-finding.ts';
import { effectsOf } from '../../shell/effects-of.ts';
import { shellPlaces } from '../../shell/sources.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { isCiPath } from '../../text/idle-file.ts';
import { arrivedFiles } from '../../evidence/arrived-files.ts';

const START_FILES = wordPattern(/WORDS/i, {
  'shells read them when they start': [
    /[\\/]\.(?:bashrc|bash_profile|zshrc|zprofile|profile|bash_login)$/,
  ],
  'desktops start what is in them when the user logs in': [
    /[\\/]Start Menu[\\/]+Programs[\\/]+Startup|[\\/]autostart[\\/]|LaunchAgents[\\/]/,
  ],
  'the system starts what is in them': [
    /LaunchDaemons[\\/]|[\\/]systemd[\\/](?:user|system)[\\/]/,
    /^\/etc\/(?:cron|init\.d|rc\.local|profile)|[\\/]cron\.d[\\/]/,
  ],
  'its keys may log in': [/\.ssh[\\/]authorized_keys/],
  'Python loads them when it starts': [/sitecustomize\.py$/, /usercustomize\.py$/],
});
/** Windows starts what is in these folders; legitimate programs put shortcuts there. */
const STARTS_SCRIPT =
  /[\\/]Start Menu[\\/]+Programs[\\/]+Startup[\\/][^\\/]{0,100}\.(?:pyw?|[mc]?js|vbs|vbe|bat|cmd|ps1|exe|scr|hta)$/i;
const RUN_KEY = /\\CurrentVersion\\+Run(?:Once)?$/i;
/** The path of the API that writes a repository's workflows. */
const WORKFLOWS = /\/contents\/\.github\/workflows\//;
/** Programs whose files malware replaces with its own. */
const OTHERS_FILES = wordPattern(/WORDS/i, {
  'a messenger': ['discord_desktop_core'],
  wallets: [/[\\/]exodus[\\/].{0,80}app\.asar/, /atomic[\\/]resources[\\/]app\.asar/],
  'programs that git and Node run': [
    /\.git[\\/]hooks[\\/]/,
    /node_modules[\\/](?!\.cache|\.bin)[@\w]/,
  ],
});

export const persistence: Rule = {
  name: 'persistence',
  run: (build) => {
    const atInstall = filesAtInstall(build);
    return together([
      ...build.taint.facts.flatMap((fact) => checkFact(build, fact, atInstall.has(fact.path))),
      ...commandFindings(build, 'persistence'),
      ...shownInShell(build),
    ]);
  },
};

/** A public key of SSH: a constant one is the author's. */
const KEY =
  /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w{1,20}|sk-ssh-ed25519@openssh\.com) AAAA[\w+/]{16}/;
const ADDS_KEY = /(?:>>?|\btee\b[^\n]{0,20})[^\n>]{0,60}authorized_keys/;
/** Gives a workflow all secrets, or the comments of strangers as its commands. */
const TAKES_OVER = /\$\{\{\s{0,9}(?:toJSON\(\s{0,9}secrets\b|github\.event\.[\w.]{0,60}\.body\b)/i;
const PUBLISHES =
  /\b(?:npm|pnpm|yarn|bun|cargo|poetry|uv)\s+publish\b|\btwine\s+upload\b|\bgem\s+push\b/;
const UNPACKS = /\btar\s+-?\w{0,9}x|\bunzip\b/;
/** Fetches the package of others, and unpacks it. */
const TAKES_PACKAGE = sequence([
  /\b(?:(?:npm|pnpm|yarn)\s+pack\s+["']?(?![\w-]{1,80}\/)[\w@$\0]|(?:pip3?|cargo)\s+download\b)/,
  /[^]{0,500}?/,
  UNPACKS,
]);

/** Shell text that does the first, and shows by the second what for. */
const IN_SHELL = [
  [ADDS_KEY, KEY],
  [/(?:>>?|\btee\b[^\n]{0,20})[^\n>]{0,60}\.github\/workflows\//, TAKES_OVER],
  [TAKES_PACKAGE, PUBLISHES],
] as const;

function shownInShell(build: ScannedBuild): Finding[] {
  return shellPlaces(build).flatMap(({ file, text, runner }) => {
    const isRun = runner === 'autorun' || runner === 'script';
    if (!isRun || isTestPath(file.path) || isCiPath(file.path)) return [];
    return IN_SHELL.flatMap(([does, shows]) => {
      const match = does.test(text) ? shows.exec(text) : null;
      if (match === null) return [];
      const place = { path: file.path, at: match.index, end: match.index + match[0].length };
      return [found(build, 'persistence', place, { target: quote(match[0]) }, 'warn')];
    });
  });
}

/** The texts in a value, and in the objects in it. */
function textsIn({ texts, objects }: Value, depth = 3): string[] {
  const inner = depth === 0 ? [] : objects.slice(0, 2);
  return [
    ...texts,
    ...inner.flatMap(({ fields, rest }) =>
      [...[...fields.values()].slice(0, 20), rest].flatMap((one) => textsIn(one, depth - 1)),
    ),
  ];
}

/** Whether one of `texts` names a file that the code has fetched. */
function namesFetched(build: ScannedBuild, { path }: Fact, texts: readonly string[]): boolean {
  const names = arrivedFiles(build).flatMap((file) =>
    file.path === path && !file.isLarge ? file.names : [],
  );
  return names.some((name) => name.length > 4 && texts.some((text) => text.includes(name)));
}

/** A program with start mechanisms of several systems is unlikely to contain them by chance. */
function together(found: readonly Finding[]): Finding[] {
  const ways = new Map<string, Set<number>>();
  for (const { file, level, args } of found) {
    if (level !== 'info') continue;
    const known = ways.get(file) ?? new Set();
    ways.set(file, known.add(wayOf(String(args['target'] ?? args['command'] ?? ''))));
  }
  return found.map((one) =>
    one.level === 'info' && ways.get(one.file)!.size > 1 ? { ...one, level: 'warn' } : one,
  );
}

/** The start mechanisms, by the text that the findings quote: a unit, and the command that enables it, are one. */
const WAYS: readonly RegExp[] = [
  /launch(?:agents|daemons|ctl)/i,
  /crontab|cron\.d/i,
  /systemd|systemctl|autostart/i,
  /startup|schtasks|currentversion.{1,2}run/i,
  /bashrc|zshrc|profile/i,
  /authorized_keys/i,
];

function wayOf(target: string): number {
  return WAYS.findIndex((way) => way.test(target));
}

/** What the code in each file does that publishes or pushes. */
const deedsByPath = once((build: ScannedBuild) => {
  const files = [...Map.groupBy(build.taint.facts, ({ path }) => path)].map(([path, facts]) => {
    const commands = facts.flatMap((f) => (f.action === 'spawn' ? commandsOf(f) : [])).join('\n');
    const writes = facts.filter(({ action }) => action === 'write').map(({ content }) => content);
    const isFilled = UNPACKS.test(commands) && writes.some((one) => (one.labels & FETCHED) === 0);
    const isCopied = writes.some(({ origins }) => origins.some(({ what }) => OWN_FILE.test(what)));
    const isTaken = TAKES_PACKAGE.test(commands);
    return [path, { isFilled, isCopied, isTaken, isPushed: PUSHES.test(commands) }] as const;
  });
  return new Map(files);
});

const OWN_FILE = /^(?:__file(?:name|__)|import\.meta\.filename)$/;
const PUSHES = /\bgit\b[^\n]{0,200}\bpush\b/;

function checkFact(build: ScannedBuild, fact: Fact, isAtInstall: boolean): Finding[] {
  const { action, operand, content } = fact;
  const report = (target: string, level: FindingLevel): Finding[] => [
    found(build, 'persistence', fact, { target: quote(target) }, level),
  ];
  if (action === 'send' && !fact.isLarge) {
    const workflow = operand.texts.find((t) => WORKFLOWS.test(t));
    if (workflow === undefined) return [];
    return report(workflow, 'warn');
  }
  if (action === 'spawn') {
    const key = commandsOf(fact).find((c) => ADDS_KEY.test(c) && KEY.test(c));
    if (key !== undefined) return report(key, 'error');
    // Code that publishes packages from an install hook publishes itself, as does what copies its own file.
    const command = commandsOf(fact).find((c) => PUBLISHES.test(c));
    if (command === undefined) return [];
    // Authors upload by an argument of their own setup.py.
    const isHook = isAtInstall && !command.includes('twine');
    const { isFilled, isCopied, isTaken } = deedsByPath(build).get(fact.path)!;
    if (!isHook && !isFilled && !isCopied) return [];
    return report(command, isHook || isTaken ? 'error' : 'warn');
  }
  if (action !== 'write') return [];
  const flow = operand.texts.find((t) => /\.github[\\/]workflows[\\/]/.test(t));
  if (flow !== undefined) {
    const { isPushed } = deedsByPath(build).get(fact.path)!;
    const isBad = (text: string): boolean =>
      TAKES_OVER.test(text) || (isPushed && effectsOf(text).length > 0);
    if (fact.args.some(({ texts }) => texts.some(isBad))) return report(flow, 'warn');
  }
  const script = operand.texts.find((t) => STARTS_SCRIPT.test(t) || RUN_KEY.test(t));
  if (script !== undefined) {
    const isSure = isAtInstall || (content.labels & FETCHED) !== 0;
    return report(script, isSure ? 'error' : 'warn');
  }
  const target = operand.texts.find((t) => START_FILES.test(t));
  const other = operand.texts.find((t) => OTHERS_FILES.test(t));
  const written = target ?? other;
  if (written === undefined) return [];
  // Code that starts with the machine or another program and downloads what it runs has no legitimate use.
  const texts = fact.args.flatMap((value) => textsIn(value)).slice(0, 200);
  const isDeed = texts
    .flatMap((text) => effectsOf(text))
    .some((deed) => deed === 'remote-code' || deed === 'reverse-shell');
  if (isDeed) return report(written, 'error');
  if (target !== undefined) {
    if (texts.some((text) => KEY.test(text)) || namesFetched(build, fact, texts))
      return report(target, 'error');
    // A part of the system is not written by others.
    if (/LaunchAgents[\\/]+com\.apple\.|systemd[\\/]user[\\/]+(?:systemd|dbus)-/.test(target))
      return report(target, 'warn');
    // Service managers install services from templates: content from the network deserves a review.
    const isFetched = (content.labels & FETCHED) !== 0 && !fact.isLarge;
    const level = isAtInstall ? 'error' : isFetched ? 'warn' : 'info';
    return report(target, level);
  }
  const isForeign = isAtInstall || (content.labels & FETCHED) !== 0 || /asar|discord/.test(written);
  return report(written, isForeign ? 'warn' : 'info');
}
