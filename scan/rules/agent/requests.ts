/**
 * What text asks an agent to do with an object that is not the build's own: write a key, change trust or permissions, give a
 * file away, push past a review, install from an address, erase traces. Each pattern needs the deed and its object, so that
 * documentation of the same tools matches none. `agent-injection` compares the object with what the build declares.
 */
import { sequence, type Words } from '../../parse/word-list.ts';
import { phrase as inGroups, type Intent, type Phrase } from './phrase.ts';

const ADD = /\b(?:add|append|put|write|insert|install|copy|register|import|upload|authori[sz]e)\b/;
const GIVE =
  /\b(?:copy|attach|include|paste|upload|send|post|commit|add|put|embed|append|write|email|share|print|echo|log|forward|submit|pass)(?:s|ing)?\b/;
/** Files and values that only the user should have. */
const PRIVATE =
  /(?:(?<![\w.])\.env(?:\.\w{1,12})?(?![\w.])|(?<!`\w{1,40}` )environment variables?|env vars?|process\.env|\bprintenv\b|~\/\.(?:ssh|aws|kube|config|gnupg)\b|\.npmrc|\.pypirc|\.netrc|\.git-credentials|\bid_(?:rsa|ed25519)\b|private keys?|api[ _-]?keys?|access tokens?|\b[A-Z][A-Z_]{2,30}_(?:TOKEN|SECRET|KEY|PASSWORD)\b|credentials?(?: file)?|secrets?\b|seed phrases?|shell history|\.bash_history|customer (?:data|records)|git (?:remote|config) -\w|chat history|(?:whole|entire|full) conversation)/;
/** Places that others read; the target of a link is none. */
const PUBLIC =
  /\b(?:pull request|PR\b|merge request|issue|gist|pastebin|commit (?:message|body|trailer)|(?:public )?comment|changelog|description|bug report|ticket|webhook|slack|discord|telegram|query (?:string|parameter)|(?<!\]\()https?:\/\/|[\w.-]{1,60}@[\w-]{1,60}\.\w|telemetry|the server|support (?:team|address))/;

function phrase(intent: Intent, words: Words): Phrase {
  return inGroups(intent, { [`the request ${intent}`]: words });
}

/** By what the text requests; the gaps are bounded. */
export const REQUEST_PHRASES: readonly Phrase[] = [
  phrase('key', [
    sequence([
      ADD,
      /.{0,60}?\b(?:this|the following|our|my|below)\b.{0,30}?/,
      /\b(?:ssh|public|deploy|signing|gpg|pgp|host) keys?\b/,
    ]),
    sequence([ADD, /.{0,120}?(?:~\/\.ssh\/|\/)?(?:authorized_keys|known_hosts|allowed_signers)\b/]),
    /\bssh-(?:rsa|ed25519|dss) AAAA[\w+/]{10}.{0,400}?authorized_keys/,
    /\bgpg\b.{0,40}--(?:import|recv-keys)\b.{0,80}https?:/,
  ]),
  phrase('trust', [
    sequence([
      /\b(?:trust|install|import|add|accept)\b.{0,40}?\b(?:this|the following|our|its|vendor|provided|bundled)\b.{0,30}?/,
      /\b(?:root |CA |self-signed |root CA )(?:certificates?|authority)\b/,
    ]),
    /\bhttp\.sslVerify(?:["'=\s]{1,4})false|\bstrict-ssl(?:["'=\s]{1,4})false|\bNODE_TLS_REJECT_UNAUTHORIZED\s{0,3}=\s{0,3}["']?0/,
    /\bStrictHostKeyChecking[ =]no\b|\bcore\.hooksPath\b|\bsafe\.directory["' =]{1,4}\*/,
    sequence([
      /\b(?:set|change|configure|point|switch|update|use)\b.{0,60}?\b(?:registry|index[- ]url|proxy|mirror|resolver|dns)\b.{0,40}?/,
      /\bhttps?:\/\/[\w.-]{3,100}/,
    ]),
    /--(?:extra-)?index-url[= ]https?:\/\/[\w.-]{3,100}|--registry[= ]https?:\/\/[\w.-]{3,100}|--trusted-host\b/,
    /\b(?:treat|consider|accept)\b.{0,60}?\b(?:as (?:trusted|pre-?approved)|already (?:approved|reviewed))\b/,
  ]),
  phrase('permission', [
    /\bNOPASSWD\b|\bchmod (?:-R )?0?777 [\w.~/]|\busermod\b.{0,20}-aG?\s{0,3}(?:sudo|docker|wheel)/,
    /\b(?:add|invite|make|set)\b.{0,60}?\b(?:as (?:an? )?|to be (?:an? )?|an? )(?:collaborators?|co-?owners?|outside collaborator|repository admin|org(?:anization)? (?:owner|admin))\b/,
    /\bmake (?:the |this |your )?(?:repo(?:sitory)?|bucket|project|database) (?:public|world)/,
    /\bgrant\b.{0,60}?\b(?:admin(?:istrator)?|owner|write|full|root)\b.{0,20}?\b(?:access|rights?|role|permissions?)\b.{0,30}?\bto\b/,
    /\b(?:start|run|launch|use|always|pass|alias|restart)\b.{0,60}?(?:--dangerously-skip-permissions|--dangerously-bypass-approvals|--trust-all-tools)/,
    /\bdisable\b(?![`"'*]).{0,30}?\b(?:branch protection|required reviews?|two-factor|2fa|mfa|secret scanning|firewall)\b/,
  ]),
  phrase('reveal', [
    sequence([
      GIVE,
      /.{0,60}?/,
      PRIVATE,
      /.{0,60}?\b(?:to|into|in|as|at|via|with|on)\b.{0,40}?/,
      PUBLIC,
    ]),
    sequence([
      GIVE,
      /.{0,60}?\b(?:in|into|to|as)\b.{0,30}?/,
      PUBLIC,
      /.{0,60}?/,
      /(?:contents? of|output of|values? of|full)\b.{0,30}?/,
      PRIVATE,
    ]),
    /https?:\/\/[^\s"'`)<{]{3,200}[?&]\w{1,20}=[<{[][^\n>}\]]{0,40}?(?:\.env\b|environment|\.ssh\b|\.aws\b|private key|conversation)/,
    sequence([
      /\b(?:curl|wget|fetch|nc)\b.{0,120}?(?:-d|-F|--data\S{0,12}|-T|--upload-file|--form)\b.{0,60}?/,
      PRIVATE,
    ]),
  ]),
  phrase('push', [
    /\bpush\b.{0,60}?\b(?:directly|straight)\b.{0,30}?\b(?:main|master|production|trunk)\b|\bforce[- ]push\b.{0,60}?\b(?:main|master|production)\b/,
    /\bgit push\b(?: -\S{1,30}){0,3} (?:https?:\/\/|git@)[\w.@:/-]{4,100}/,
    /\bgit remote add (?!origin\b|upstream\b)(\w{1,40})\b[^]{0,200}?\bgit push\b[^\n]{0,40}? \1\b/,
    sequence([
      /\badd\b.{0,40}?\bremotes?\b.{0,20}?(?:https?:\/\/|git@|ssh:\/\/)[\w.@:/-]{4,100}/,
      /[^.]{0,60}?\bpush\b/,
    ]),
    sequence([
      /\b(?:push|mirror|upload|copy)\b.{0,20}?\b(?:every branch|all (?:the )?branches|(?:the|this|whole|entire|full|your) (?:repo(?:sitory)?|project|history|code ?base|source(?: code| tree)?|work(?:space|ing tree)))\b/,
      /.{0,60}?\b(?:to|into)\b.{0,30}?(?:https?:\/\/|git@|ssh:\/\/)[\w.@:/-]{4,100}/,
    ]),
    /\bgit (?:remote set-url|config remote\.)\b.{0,60}?\bpush.{0,40}?(?:https?:\/\/|git@)[\w.@:/-]{4,100}/,
    /\bgit push\b.{0,20}? --(?:mirror|all)\b.{0,10}? (?:https?:\/\/|git@|ssh:)[\w.@:/-]{4,100}/,
    /\b(?:merge|push|publish|deploy|release)\b.{0,80}?\bwithout\b.{0,30}?\b(?:review|approval|pull request|asking|confirmation|CI)\b/,
    /\bapprove and merge\b|\bmerge (?:it|this|the pull request) (?:yourself|immediately|automatically)/,
  ]),
  phrase('erase', [
    /\bhistory -c\b|\bunset HISTFILE\b|\bHISTSIZE=0/,
    /\b(?:delete|remove|clear|erase|wipe|scrub|truncate)\b[^,.\n]{0,40}?\b(?:(?:bash|shell|command|terminal) history|audit logs?|traces? of (?:this|these|the)|log entries)\b/,
    /\b(?:delete|remove|erase|strip)\b.{0,30}?\bthis\b.{0,30}?\b(?:line|section|comment|instruction|note|step|paragraph|file)s?\b.{0,40}?\b(?:after|once|when|afterwards|so that|before)\b/,
  ]),
  phrase('install', [
    /\b(?:pip3?|uv|uvx|pipx)\b.{0,30}?\b(?:install|run|--from)\b(?:[^`()<>\n]{0,60}?|.{0,60}?\bfrom\b.{0,20}?)(?:git\+)?https?:\/\/[\w.-]{3,100}/,
    /\b(?:npm|pnpm|yarn|bun)\b (?:i|install|add)\b(?:[^`()<>\n]{0,60}?|.{0,60}?\bfrom\b.{0,20}?)(?:git\+)?https?:\/\/[\w.-]{3,100}/,
    /\binstall\b.{0,60}?\b(?:extension|plugin|\.vsix|mcp server|certificate|profile)\b.{0,60}?\bfrom\b.{0,20}?https?:\/\/[\w.-]{3,100}/,
  ]),
];

/** The intents of `REQUEST_PHRASES`. */
export const REQUESTS: ReadonlySet<Intent> = new Set(REQUEST_PHRASES.map(({ intent }) => intent));
