/** Code that makes itself run again: start files, schedules, other packages, publishing itself. */
import type { Finding } from '../../format/finding.ts';
import type { Check, CheckedBuild } from './check.ts';
import type { Fact } from './flow/fact.ts';
import { FETCHED } from './flow/value.ts';
import { commandFindings } from './judge/commands.ts';
import { found, quote } from './judge/evidence.ts';
import { filesAtInstall } from './judge/install-hooks.ts';

const START_FILES =
  /[\\/]\.(?:bashrc|bash_profile|zshrc|zprofile|profile|bash_login)$|[\\/]Start Menu[\\/]+Programs[\\/]+Startup|[\\/]autostart[\\/]|LaunchAgents[\\/]|LaunchDaemons[\\/]|[\\/]systemd[\\/](?:user|system)[\\/]|^\/etc\/(?:cron|init\.d|rc\.local|profile)|[\\/]cron\.d[\\/]|\.ssh[\\/]authorized_keys|sitecustomize\.py$|usercustomize\.py$/i;
/** Programs whose files malware replaces with its own. */
const OTHERS_FILES =
  /discord_desktop_core|[\\/]exodus[\\/].{0,80}app\.asar|atomic[\\/]resources[\\/]app\.asar|\.git[\\/]hooks[\\/]|node_modules[\\/](?!\.cache|\.bin)[@\w]/i;

export const persistence: Check = {
  name: 'persistence',
  run: (build) => {
    const atInstall = filesAtInstall(build);
    return [
      ...build.flow.facts.flatMap((fact) => judge(build, fact, atInstall.has(fact.path))),
      ...commandFindings(build, 'persistence'),
    ];
  },
};

function judge(build: CheckedBuild, fact: Fact, isAtInstall: boolean): Finding[] {
  const { action, operand, content } = fact;
  if (action !== 'write') return [];
  const target = operand.texts.find((t) => START_FILES.test(t));
  if (target !== undefined) {
    const isForeign = isAtInstall || ((content.labels & FETCHED) !== 0 && !fact.isLarge);
    return [
      found(build, 'persistence', fact, { target: quote(target) }, isForeign ? 'error' : 'info'),
    ];
  }
  const other = operand.texts.find((t) => OTHERS_FILES.test(t));
  if (other === undefined) return [];
  const isForeign = isAtInstall || (content.labels & FETCHED) !== 0 || /asar|discord/.test(other);
  return [found(build, 'persistence', fact, { target: quote(other) }, isForeign ? 'warn' : 'info')];
}
