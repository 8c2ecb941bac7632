/** Code that arranges to run again: start files, schedules, other packages, publishing itself. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { FETCHED } from '../../taint/label.ts';
import { wordPattern } from '../../parse/word-list.ts';
import { commandFindings, filesAtInstall } from '../../evidence/commands.ts';
import { found, quote, commandsOf } from '../../evidence/fact-evidence.ts';
import { effectsOf } from '../../shell/effect-patterns.ts';
import { lowerCase } from '../../../format/unicode.ts';

const START_FILES = wordPattern(
  [
    {
      why: 'shells read them when they start',
      words: [/[\\/]\.(?:bashrc|bash_profile|zshrc|zprofile|profile|bash_login)$/],
    },
    {
      why: 'desktops start what is in them when the user logs in',
      words: [/[\\/]Start Menu[\\/]+Programs[\\/]+Startup|[\\/]autostart[\\/]|LaunchAgents[\\/]/],
    },
    {
      why: 'the system starts what is in them',
      words: [
        /LaunchDaemons[\\/]|[\\/]systemd[\\/](?:user|system)[\\/]/,
        /^\/etc\/(?:cron|init\.d|rc\.local|profile)|[\\/]cron\.d[\\/]/,
      ],
    },
    { why: 'its keys may log in', words: [/\.ssh[\\/]authorized_keys/] },
    {
      why: 'Python loads them when it starts',
      words: [/sitecustomize\.py$/, /usercustomize\.py$/],
    },
  ],
  { flags: 'i' },
);
/** Windows starts what is in these folders; legitimate programs put shortcuts there. */
const STARTS_SCRIPT =
  /[\\/]Start Menu[\\/]+Programs[\\/]+Startup[\\/][^\\/]{0,100}\.(?:pyw?|[mc]?js|vbs|vbe|bat|cmd|ps1|exe|scr|hta)$/i;
const RUN_KEY = /\\CurrentVersion\\+Run(?:Once)?$/i;
/** The path of the API that writes a repository's workflows. */
const WORKFLOWS = /\/contents\/\.github\/workflows\//;
/** Programs whose files malware replaces with its own. */
const OTHERS_FILES = wordPattern(
  [
    { why: 'a messenger', words: ['discord_desktop_core'] },
    {
      why: 'wallets',
      words: [/[\\/]exodus[\\/].{0,80}app\.asar/, /atomic[\\/]resources[\\/]app\.asar/],
    },
    {
      why: 'programs that git and Node run',
      words: [/\.git[\\/]hooks[\\/]/, /node_modules[\\/](?!\.cache|\.bin)[@\w]/],
    },
  ],
  { flags: 'i' },
);

export const persistence: Rule = {
  name: 'persistence',
  run: (build) => {
    const atInstall = filesAtInstall(build);
    return together([
      ...build.taint.facts.flatMap((fact) => checkFact(build, fact, atInstall.has(fact.path))),
      ...commandFindings(build, 'persistence'),
    ]);
  },
};

/** A program with start mechanisms of several systems is unlikely to contain them by chance. */
function together(found: readonly Finding[]): Finding[] {
  const ways = new Map<string, Set<string>>();
  for (const { file, level, args } of found) {
    if (level !== 'info') continue;
    const known = ways.get(file) ?? new Set();
    ways.set(file, known.add(wayOf(String(args['target'] ?? args['command'] ?? ''))));
  }
  return found.map((one) =>
    one.level === 'info' && ways.get(one.file)!.size > 1 ? { ...one, level: 'warn' } : one,
  );
}

/** The start mechanisms, by the text that the findings quote. */
const WAYS = wordPattern(
  [
    { why: 'macOS', words: [/launch(?:agents|daemons|ctl)/] },
    { why: 'schedules of Unix', words: ['crontab', 'cron.d'] },
    { why: 'services and desktops of Linux', words: ['systemd', 'systemctl', 'autostart'] },
    { why: 'Windows', words: ['startup', 'schtasks', /currentversion.{1,2}run/] },
    { why: 'shells', words: ['bashrc', 'zshrc', 'profile'] },
    { why: 'logging in', words: ['authorized_keys'] },
  ],
  { flags: 'i' },
);

function wayOf(target: string): string {
  return lowerCase(WAYS.exec(target)?.[0] ?? 'other');
}

function checkFact(build: ScannedBuild, fact: Fact, isAtInstall: boolean): Finding[] {
  const { action, operand, content } = fact;
  if (action === 'send' && !fact.isLarge) {
    const workflow = operand.texts.find((t) => WORKFLOWS.test(t));
    if (workflow === undefined) return [];
    return [found(build, 'persistence', fact, { target: quote(workflow) }, 'warn')];
  }
  // Code that publishes packages from an install hook publishes itself.
  if (action === 'spawn' && isAtInstall) {
    const command = commandsOf(fact).find((c) => /\b(?:npm|pnpm|yarn)\s+publish\b/.test(c));
    if (command === undefined) return [];
    return [found(build, 'persistence', fact, { target: quote(command) }, 'error')];
  }
  if (action !== 'write') return [];
  const script = operand.texts.find((t) => STARTS_SCRIPT.test(t) || RUN_KEY.test(t));
  if (script !== undefined) {
    const isSure = isAtInstall || (content.labels & FETCHED) !== 0;
    return [
      found(build, 'persistence', fact, { target: quote(script) }, isSure ? 'error' : 'warn'),
    ];
  }
  const target = operand.texts.find((t) => START_FILES.test(t));
  if (target !== undefined) {
    // Code that starts with the machine and downloads what it runs has no legitimate use.
    const deeds = [content, ...fact.args].flatMap((value) => value.texts).flatMap(effectsOf);
    if (deeds.some((deed) => deed === 'remote-code' || deed === 'reverse-shell')) {
      return [found(build, 'persistence', fact, { target: quote(target) }, 'error')];
    }
    // Service managers install services from templates: content from the network deserves a review.
    const isFetched = (content.labels & FETCHED) !== 0 && !fact.isLarge;
    const level = isAtInstall ? 'error' : isFetched ? 'warn' : 'info';
    return [found(build, 'persistence', fact, { target: quote(target) }, level)];
  }
  const other = operand.texts.find((t) => OTHERS_FILES.test(t));
  if (other === undefined) return [];
  const isForeign = isAtInstall || (content.labels & FETCHED) !== 0 || /asar|discord/.test(other);
  return [found(build, 'persistence', fact, { target: quote(other) }, isForeign ? 'warn' : 'info')];
}
