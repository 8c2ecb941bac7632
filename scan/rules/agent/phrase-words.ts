/** The words of the English phrases. Used by `phrases.ts`. */
import { wordPattern, type WordGroups, type Words, wordsOf } from '../../parse/word-list.ts';

function anyOf(why: string, words: Words): RegExp {
  return wordPattern(/WORDS/, { [why]: words });
}

export const DROP = anyOf('asks not to follow', [
  /ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|discard|do not (?:follow|obey)/,
  /don't follow|stop following/,
]);
export const EARLIER = anyOf('what was there before this text', [
  /previous|prior|earlier|preceding|original|initial|existing|system|former|above|your/,
]);
export const ORDERS = anyOf('what an agent follows', [
  /instructions?|prompts?|guidelines|directives|directions|commands|rules|constraints/,
  /programming|safety (?:rules|guidelines)|context/,
]);
export const USER = anyOf('who decides', [
  /user|human|developer|operator|owner|maintainer|person|anyone|anybody|them/,
]);
export const INFORM = anyOf('verbs for informing or asking a person', [
  /tell|inform|mention|notify|alert|reveal|show|disclose|report|ask|explain|warn|display/,
  /announce|say|summari[sz]e|reference/,
]);
export const WHOSE_CONSENT = anyOf('whose consent is missing, or how one would ask for it', [
  /user'?s?|human'?s?|their|asking|any|prompting|requesting|seeking|waiting for/,
]);
export const CONSENT = anyOf('what the user would have given', [
  /knowledge|consent|permission|approval|confirmation|noticing|awareness/,
  /for (?:confirmation|permission|approval)/,
]);
export const READ_OR_SEND = wordPattern(/WORDS/, {
  'reads or finds': [
    /read|cat|open|print|collect|gather|copy|include|dump|extract|find|locate|search for/,
    /retrieve|get|list/,
  ],
  'puts into another text': ['encode', 'paste', 'append', 'attach', 'embed'],
  sends: ['send', 'upload', 'post', 'forward', 'leak', 'exfiltrate', 'transmit', 'submit'],
});
export const SEND = wordPattern(/WORDS/, {
  sends: wordsOf(['send upload post forward exfiltrate transmit submit leak deliver email']),
  'puts into something that is sent': wordsOf(['append attach include embed pass commit encode']),
});
export const TURN_OFF = anyOf('makes something not work', [
  /disable|skip|bypass|turn off|switch off|deactivate|remove|suppress|circumvent/,
]);
export const PROTECTION = anyOf('protects the user', [
  /security|safety|sandbox(?:ing)?|antivirus|defender|firewall|code review/,
  /signature (?:check|verification)|permission (?:checks?|prompts?)/,
  /(?:safety|security) (?:checks?|warnings?|filters?)|guard ?rails|confirmation prompts?/,
  /approval prompts?|(?:the|this|any) review/,
]);
export const APPROVE = anyOf('approves without the user, or gives more rights', [
  /auto-?approve|automatically approve|always (?:approve|allow|accept|confirm)/,
  /approve (?:all|every|any)|grant (?:yourself|itself|the agent|full|all|unrestricted)/,
]);
export const APPROVED = anyOf('what a user approves', [
  /commands?|tools?|permissions?|requests?|access|prompts?|changes|actions|calls/,
]);
export const NEW_ROLE = anyOf('another role, or no rules', [
  /an?|the|my|dan|in \w+ mode|acting|operating|free|no longer|un\w+ed|allowed|authori[sz]ed/,
  /permitted|root|admin|called|named/,
]);
export const DUTY = anyOf('a duty follows', [
  /must|should|shall|have to|need to|are required|is required|reading|processing|:/,
]);
export const AGENT = anyOf('names and kinds of agents', [
  /AI|LLM|assistant|agent|language model|coding agent|copilot|claude|chatgpt|gpt|cursor|codex/,
  /gemini/,
]);
/** What only the user should have. */
export const SECRETS: WordGroups = {
  'the environment': [/\.env\b/, /environment variables?/, /env vars?/, 'process.env'],
  'keys and tokens, by their files and names': [
    /~\/\.ssh|\bssh keys?|id_rsa|id_ed25519|~\/\.aws|aws credentials|private keys?/,
  ],
  wallets: [/seed phrases?/, /mnemonics?/, /wallets?\b/],
  'files with tokens of tools': ['.npmrc', '.netrc', '.git-credentials', 'mcp.json'],
  'passwords that browsers and systems keep': ['browser cookies', 'keychain', 'password manager'],
  'credentials of the user, by any name': [
    /(?:user'?s?|their|all|any|local|stored|available|saved) (?:\w+ ){0,2}(?:credentials?|secrets?|tokens?|passwords?|api[ _-]?keys?)/,
    /api[ _-]?keys? (?:you|in|from) /,
  ],
  'what the agent itself knows': ['conversation history', 'chat history', 'system prompt'],
};
