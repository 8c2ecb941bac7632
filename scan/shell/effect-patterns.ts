/** Shapes of command lines that show what a command does, beyond the flow of data. */
import { sequence, wordPattern } from '../parse/word-list.ts';

/** What a command does to the machine and its user. */
export type ShellEffect =
  /** Runs what it downloads. */
  | 'remote-code'
  /** Runs what it decodes. */
  | 'decode-execute'
  /** Sends what it read from the machine. */
  | 'data-exfiltration'
  | 'reverse-shell'
  | 'persistence'
  | 'destructive'
  | 'crypto-mining'
  /** Starts an assistant that acts without asking. */
  | 'unattended-agent';

const ANY = String.raw`[^\n]{0,400}?`;
const SHELL = String.raw`(?:sudo (?:-\w+ )?)?(?:\S{0,40}\/)?(?:(?:ba|z|da|k|a)?sh|python[\d.]{0,5}|node|perl|ruby|php|bun|deno)(?:\.exe)?\b(?! (?:-m json|-mjson|-c ["']import (?:sys, ?)?json|-[pe]e? ))`;
const FETCH = String.raw`\b(?:curl|wget|iwr|fetch|aria2c|invoke-webrequest|invoke-restmethod|lwp-download)(?:\.exe)?\b`;
const IDENTITY = String.raw`(?:whoami|hostname|id|uname -a|env|printenv|pwd|ifconfig|ip a|cat|ls|history|base64)\b`;

/** What a command line shows of its effects. Every repetition is bounded, so that no command takes long. */
export const EFFECT_PATTERNS: Readonly<Partial<Record<ShellEffect, readonly RegExp[]>>> = {
  'remote-code': [
    pattern(`${FETCH}[^|\\n]{0,400}\\|\\s{0,9}(?:[^|\\n]{0,80}\\|\\s{0,9}){0,3}${SHELL}`),
    pattern(`${SHELL}${ANY}(?:<\\(|\\$\\(|\`)\\s{0,9}${FETCH}`),
    pattern(`\\b(?:eval|source|exec|\\.)\\s{1,9}["']?(?:<\\(|\\$\\(|\`)\\s{0,9}${FETCH}`),
    pattern(
      `${FETCH}${ANY}(?:-o|-O|>|--output(?:-document)?|-outfile)[= ]{0,3}["']?([^\\s"';&|]{2,200})${ANY}(?:;|&|\\n)\\s{0,9}(?:${ANY}(?:;|&|\\n)\\s{0,9})?(?:chmod ${ANY}\\+x|start |\\./|${SHELL} ["']?\\1|["']?\\1(?:\\s|$|["';&]))`,
    ),
  ],
  'decode-execute': [
    pattern(
      `base64\\s{1,9}(?:-d|--decode|-D)\\b[^|\\n]{0,100}\\|\\s{0,9}(?:[^|\\n]{0,80}\\|\\s{0,9}){0,3}${SHELL}`,
    ),
    pattern(`${SHELL}${ANY}(?:<\\(|\\$\\(|\`)${ANY}base64\\s{1,9}(?:-d|--decode|-D)\\b`),
  ],
  'data-exfiltration': [
    pattern(
      `(?:${FETCH}|\\b(?:nslookup|dig|ping|host|nc|ncat)\\b)[^\\n|;]{0,400}(?:\\$\\(|\`)\\s{0,9}${IDENTITY}`,
    ),
    pattern(
      `(?:\\b(?:env|printenv|whoami|hostname|cat [^|\\n]{1,200}|set)\\s{0,9}\\|\\s{0,9}(?:[^|\\n]{0,80}\\|\\s{0,9}){0,3}(?:curl|wget|nc|ncat)\\b)`,
    ),
    pattern(
      `${FETCH}${ANY}(?:-d|--data\\S{0,12}|-F|--form|-T|--upload-file|--post-file)[ =]{0,3}\\S{0,40}@?(?:~|\\$HOME|/etc/passwd|/root|\\S{0,60}\\.(?:ssh|aws|npmrc|env|kube|bash_history))\\b`,
    ),
    pattern(
      `${FETCH}[^\\n|;]{0,400}(?:\\$(?:USER|HOSTNAME|LOGNAME|NPM_TOKEN|AWS_SECRET\\w*|GITHUB_TOKEN)|%(?:USERNAME|COMPUTERNAME)%)`,
    ),
    /\b(?:hostname|whoami|uname|id)\b[^\n]{0,300}\|[^\n]{0,300}\b(?:nslookup|dig|ping|host)\s{1,9}[^\n|;]{0,60}\$\{?\w/i,
  ],
  'reverse-shell': [
    wordPattern(/WORDS/i, {
      'an interpreter opens a socket and starts a program': [
        /\bphp\b[^\n]{0,100}\bp?fsockopen\b[^\n]{0,300}\b(?:exec|shell_exec|system|passthru|proc_open|popen)\b/,
        /\bruby\b[^\n]{0,200}\bTCPSocket\b[^\n]{0,400}\b(?:popen|exec|spawn|system)\b/,
        /\bperl\b[^\n]{0,200}\b(?:socket|INET)\b[^\n]{0,500}\b(?:exec|system)\b/,
        /\blua\b[^\n]{0,200}\bsocket\b[^\n]{0,300}\b(?:popen|execute)\b/,
        /\bgawk\b[^\n]{0,60}\/inet\/tcp\//,
      ],
    }),
    wordPattern(/WORDS/i, {
      'bash opens a connection by the name of a device': [
        sequence([
          // Only whether the port answers: `echo > /dev/tcp/HOST/PORT`, `cat < /dev/null > ...`.
          /(?<!(?:\becho(?: -\w)?|:|\btrue|<\s?\/dev\/null)\s{0,3}>\s{0,3})/,
          /\/dev\/(?:tcp|udp)\/(?!(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0)\/)/,
          /(?![^\s/]{0,253}\$\{)[^\s/"']{1,253}\/[\d$\w\0]{1,20}/,
        ]),
      ],
      'a network client starts a shell, or stands between its input and output': [
        /\b(?:nc|ncat|netcat)\b[^\n|;]{0,100}\s-(?:\w{0,5}e|-exec|c)\s{0,3}["']?(?:\S{0,20}\/)?(?:(?:ba|z)?sh|cmd)\b/,
        /\bmkfifo\b[^\n]{0,200}\b(?:nc|ncat|openssl s_client|telnet)\b/,
        /\bsocat\b[^\n]{0,200}exec:[^\n]{0,20}sh\b/,
      ],
    }),
  ],
  persistence: [
    wordPattern(/WORDS/i, {
      'schedules and start files of Unix': [
        /\bcrontab\s{1,9}(?:-(?:\s|$)|\S{0,80}cron)|\|\s{0,9}crontab\b/,
        />>\s{0,9}["']?(?:~|\$HOME|\$\{HOME\})\/\.(?:bashrc|zshrc|profile|bash_profile|zprofile)/,
        /\bsystemctl\b[^\n]{0,40}\benable\b|\blaunchctl\s{1,9}(?:load|bootstrap)\b/,
      ],
      'schedules and start keys of Windows': [
        /\bschtasks(?:\.exe)?\b[^\n]{0,80}\/create/,
        /\breg(?:\.exe)?\s{1,9}add\b[^\n]{0,120}\\currentversion\\run/,
        /\bnew-scheduledtask/,
      ],
      'a key that permits a login': [/authorized_keys\b/],
    }),
  ],
  destructive: [
    wordPattern(/WORDS/i, {
      'deletes the home folder, the root or a folder of the system': [
        sequence([
          /\brm\s{1,9}(?:-{1,2}[\w-]{1,20}\s{1,9}){0,4}/,
          /-\w{0,6}(?:r\w{0,6}f|f\w{0,6}r)\w{0,6}\s{1,9}(?:--no-preserve-root\s{1,9})?/,
          /["']?(?:\/|~|\$HOME|\$\{HOME\}|\/\*|~\/\*|\/home|\/etc|\/usr|\/var)\/?\*?["']?(?:\s|$|;|&)/,
        ]),
      ],
      'deletes or formats a drive of Windows': [
        /\b(?:del|erase)\s{1,9}(?:\/[a-z]\s{0,3}){1,4}["']?c:\\/,
        /\brd\s{1,9}\/s\s{1,9}\/q\s{1,9}c:\\(?:\s|$)/,
        /\bformat\s{1,9}c:/,
      ],
      'overwrites a disk': [
        /\bmkfs(?:\.\w{1,8})?\s{1,9}\/dev\//,
        /\bdd\b[^\n]{0,80}\bof=\/dev\/(?:sd|nvme|hd)/,
      ],
      'starts processes without end': [/:\(\)\s{0,3}\{\s{0,3}:\|:&\s{0,3}\};:/],
      'deletes the backups of Windows': [/\bvssadmin\b[^\n]{0,40}delete\s{1,9}shadows/],
    }),
  ],
  'crypto-mining': [
    wordPattern(/WORDS/i, {
      'programs that mine': [
        /\b(?:xmrig|minerd|cpuminer|ccminer|ethminer|nbminer|phoenixminer|lolminer|nanominer)\b|\bt-rex(?:\.exe)?\s+-/,
      ],
      'the protocol of mining pools': [/stratum\+(?:tcp|ssl|tls):\/\//],
      'options and algorithms of miners': [/--donate-level\b/, /\bcryptonight\b/],
    }),
  ],
  'unattended-agent': [
    /--dangerously-(?:skip-permissions|bypass-approvals|allow-all)|--(?:trust|allow)-all-tools\b/,
    /--(?:permission-mode|approval-mode)[= ](?:bypassPermissions|yolo)\b/,
    /\b(?:gemini|qwen|codex|copilot|aider|cursor-agent|opencode|crush|droid)\b[^|;&]{0,400}?\s(?:-y|--yolo|--full-auto|--yes-always|--force|--skip-permissions-unsafe)(?![\w-])/,
  ],
};

function pattern(source: string): RegExp {
  return new RegExp(source, 'i');
}
