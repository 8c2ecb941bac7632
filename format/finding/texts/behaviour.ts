/** The texts of the findings about what code and commands do. See `finding-text.ts`. */
import { type FindingText, textsOf } from './finding-text.ts';

const safety = textsOf('safety');

export const BEHAVIOUR_TEXTS = {
  'remote-code': safety.error(
    (a) => `Code from the network is run by ${a['how']}`,
    'What the network returns today is not what was checked, and the owner of the host can change it for every user.',
    'Ship the code in the build, or name it as a dependency with a version.',
  ),
  'remote-code-command': safety.error(
    (a) => `The command runs what it downloads: ${a['command']}`,
    'What the network returns today is not what was checked, and the owner of the host can change it for every user.',
    'Ship the script in the build, or let people fetch and read it themselves.',
  ),
  'remote-code-download': safety.error(
    (a) => `A file from ${a['host']} is written to "${a['file']}" and started`,
    'A program that is fetched when the build runs has passed no check.',
    'Name the program as a dependency, or fetch it from where it is published and compare its digest.',
  ),
  'decode-execute': safety.error(
    (a) => `Text is decoded and then run by ${a['how']}: ${a['code']}`,
    'Code is encoded only to keep people and programs from reading it.',
    'Ship the code as it is.',
  ),
  'decode-execute-command': safety.error(
    (a) => `The command runs what it decodes: ${a['command']}`,
    'Commands are encoded only to keep people and programs from reading them.',
    'Write the command as it is.',
  ),
  'credential-theft': safety.error(
    (a) => `Credentials (${a['what']}) are sent to ${a['host']}`,
    'Keys, wallets and logins of the user leave the machine.',
    'Do not read the credentials of other programs; ask the user for what the build needs.',
  ),
  'credential-theft-collected': safety.error(
    (a) => `The code looks into the secrets of other programs (${a['what']}) and sends`,
    'Every known program that collects several kinds of secrets and sends data was malware.',
    'Do not read the credentials of other programs.',
  ),
  'data-exfiltration': safety.error(
    (a) => `Data of the machine (${a['what']}) is sent to ${a['host']}`,
    'The environment holds every secret of the session; names of users and machines identify the target to an attacker.',
    'Send only what the build needs, name it in the README, and let people turn it off.',
  ),
  'data-exfiltration-command': safety.error(
    (a) => `The command sends what it learns of the machine: ${a['command']}`,
    'Names, files and variables of the user leave the machine.',
    'Remove the command.',
  ),
  'reverse-shell': safety.error(
    () => 'A shell is connected to the network',
    'The other end of the connection can run any command.',
    'Remove the code.',
  ),
  'reverse-shell-command': safety.error(
    (a) => `The command connects a shell to the network: ${a['command']}`,
    'The other end of the connection can run any command.',
    'Remove the command.',
  ),
  'dns-exfiltration': safety.error(
    (a) => `Data (${a['what']}) is sent in a name that is looked up: ${a['name']}`,
    'DNS lookups pass every firewall: the name reaches the owner of the domain.',
    'Remove the lookup.',
  ),
  'suspicious-host': safety.warn(
    (a) => `The code talks to ${a['kind']}: ${a['host']}`,
    'Published programs use host names that have a responsible owner.',
    'Use a host of your own, or let the user configure the address.',
  ),
  'page-script': safety.warn(
    (a) => `A page runs a script of ${a['host']}`,
    'Its owner can change the script for every visitor.',
    'Ship the script, or pin it with the attribute "integrity".',
  ),
  'unattended-agent-command': safety.warn(
    (a) => `The command starts an assistant that asks nobody: ${a['command']}`,
    'Any text that it reads can make it send or delete what the user has.',
    'Name the tools that it may use, or let it ask.',
  ),
  'windows-script': safety.warn(
    (a) => `A program for the script host of Windows ${a['does']}`,
    'Double-clicked scripts of this kind have all rights of the user; most of them are malicious.',
    'Write it for Node.js or Python, or leave the file out.',
  ),
  'obfuscated-code': safety.warn(
    (a) => `The code is made unreadable: ${a['shape']}`,
    'Code that people cannot read cannot be reviewed.',
    'Ship the source, or a bundle with its source map.',
  ),
  persistence: safety.error(
    (a) => `The code writes a file that is run later by others: ${a['target']}`,
    'A build that makes itself run again outlives its removal.',
    'Leave start files, schedules and the files of other programs alone; tell people what to add.',
  ),
  'persistence-command': safety.error(
    (a) => `The command makes something run again later: ${a['command']}`,
    'A build that makes itself run again outlives its removal.',
    'Tell people what to add instead.',
  ),
  destructive: safety.error(
    (a) => `The code deletes what is not its own: ${a['target']}`,
    'The files of the user are lost.',
    'Delete only what the build itself has made.',
  ),
  'destructive-command': safety.error(
    (a) => `The command deletes what is not its own: ${a['command']}`,
    'The files of the user are lost.',
    'Delete only what the build itself has made.',
  ),
  'crypto-mining': safety.error(
    (a) => `The code names a mining pool: ${a['pool']}`,
    'Mining uses the machines of people who did not agree to it.',
    'Remove the miner.',
  ),
  'crypto-mining-command': safety.error(
    (a) => `The command mines: ${a['command']}`,
    'Mining uses the machines of people who did not agree to it.',
    'Remove the miner.',
  ),
  'address-swap': safety.warn(
    (a) => `The code can put a fixed wallet address (${a['address']}) into ${a['place']}`,
    'Code that looks for wallet addresses and writes its own steals what is paid to them.',
    'Take the fixed address out, or leave clipboard, network and wallet as they are.',
  ),
  'install-time-hidden': safety.error(
    (a) => `Code that runs at install is made unreadable: ${a['shape']}`,
    'It runs before anyone can review it, and it cannot be read.',
    'Ship the source, and run nothing at install.',
  ),
  'install-time-network': safety.warn(
    (a) => `Code that runs at install talks to ${a['host']}`,
    'Installing a build must not notify a host, nor depend on one.',
    'Do the work when the build is used, or at publication.',
  ),
  'install-time-start': safety.warn(
    () => 'This file runs by itself: at install, or at every start of Python',
    'The file runs before anybody uses the build, or in every program of the environment.',
    'Leave the file out; let programs import or start what they need.',
  ),
} as const satisfies Record<string, FindingText>;
