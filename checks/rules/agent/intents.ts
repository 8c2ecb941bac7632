/**
 * What text says to a coding agent that no honest documentation needs to say, in the languages that agents read.
 * A phrase alone is a hint; `agent-injection` judges by which of them stand together, and where.
 *
 * All patterns are linear: their gaps are bounded.
 */

export type Intent =
  /** Earlier instructions are to be dropped. */
  | 'override'
  /** The user is not to know, or not to be asked. */
  | 'secrecy'
  /** What only the user should have is to be read out. */
  | 'credentials'
  /** Something is to be sent somewhere. */
  | 'sending'
  /** Checks are to be turned off. */
  | 'disarm'
  /** Rights are to be widened, or everything approved. */
  | 'widen'
  /** The text speaks to an agent, in words or in the marks of a prompt. */
  | 'address'
  /** Something encoded is to be decoded and followed. */
  | 'decode';

interface Phrase {
  readonly intent: Intent;
  readonly pattern: RegExp;
}

const DROP = String.raw`(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|discard|do not (?:follow|obey)|don't follow|stop following)`;
const EARLIER = String.raw`(?:previous|prior|earlier|preceding|original|initial|existing|system|former|above|your)`;
const ORDERS = String.raw`(?:instructions?|prompts?|guidelines|directives|directions|commands|rules|constraints|programming|safety (?:rules|guidelines)|context)`;
const USER = String.raw`(?:user|human|developer|operator|owner|maintainer|person|anyone|anybody|them)`;
const ALONE = String.raw`(?:tell|inform|mention|notify|alert|reveal|show|disclose|report|ask|explain|warn|display|announce|say|summari[sz]e|reference)`;
const SECRETS = String.raw`(?:\.env\b|environment variables?|env vars?|process\.env|~\/\.ssh|\bssh keys?|id_rsa|id_ed25519|~\/\.aws|aws credentials|private keys?|seed phrases?|mnemonics?|wallets?\b|\.npmrc|\.netrc|\.git-credentials|mcp\.json|browser cookies|keychain|password manager|(?:user'?s?|their|all|any|local|stored|available|saved) (?:\w+ ){0,2}(?:credentials?|secrets?|tokens?|passwords?|api[ _-]?keys?)|api[ _-]?keys? (?:you|in|from) |conversation history|chat history|system prompt)`;

const PHRASES: readonly Phrase[] = [
  {
    intent: 'override',
    pattern: new RegExp(
      String.raw`\b${DROP}\b(?: \w+){0,3}? (?:all |any |every |the |of |my |these |those |other ){0,4}${EARLIER}(?: (?:system|user|and|or|developer|safety|\w+)){0,3}? ${ORDERS}\b`,
      'gi',
    ),
  },
  {
    intent: 'override',
    pattern: new RegExp(
      String.raw`\b${DROP} (?:all|any|every)(?: of)?(?: the| other| your)? (?:instructions|directives|guidelines|restrictions|safeguards)\b`,
      'gi',
    ),
  },
  {
    intent: 'override',
    pattern:
      /\b(?:these|this|the following) (?:instructions?|rules?|directives?) (?:override|supersede|replace|take (?:precedence|priority) over|have priority over)\b/gi,
  },
  {
    intent: 'override',
    pattern:
      /\b(?:you are now (?:an?|the|my|dan|in \w+ mode|acting|operating|free|no longer|un\w+ed|allowed|authori[sz]ed|permitted|root|admin|called|named)\b|from now on,? you (?:are|will)|act as if you (?:have|had) no|new (?:system )?instructions?:|enter(?:ing)? (?:developer|debug|god|admin|maintenance) mode)/gi,
  },
  {
    intent: 'override',
    pattern:
      /\b(?:ignorier\w{0,3}|vergiss|vergessen sie|missachte\w{0,2})\b.{0,40}?\b(?:anweisungen|instruktionen|vorgaben|regeln|befehle)/gi,
  },
  {
    intent: 'override',
    pattern:
      /\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas|aucun) compte)\b.{0,40}?\b(?:instructions?|consignes|règles|directives) (?:précédentes?|antérieures|ci-dessus|système)/gi,
  },
  {
    intent: 'override',
    pattern:
      /\b(?:ignor[ae]n?|olvid[ae]n?|haz caso omiso|desest[ií]m[ae]|omit[ae])\b.{0,40}?\b(?:instrucciones|indicaciones|reglas|órdenes|instruções|regras|istruzioni|regole)/gi,
  },
  {
    intent: 'override',
    pattern:
      /(?:忽略|无视|忽視|無視|忘记|忘掉|不要理会|不要遵守|不理会).{0,14}?(?:指令|指示|说明|提示词?|規則|规则|命令|要求)/g,
  },
  {
    intent: 'override',
    pattern:
      /(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания|отбрось(?:те)?).{0,40}?(?:инструкци|указани|правил|команд)/gi,
  },
  {
    intent: 'override',
    pattern:
      /(?:指示|命令|ルール|プロンプト|指令|規則).{0,8}?(?:無視|忘れ|従わない)|(?:이전|위의?|모든).{0,10}?(?:지시|명령|지침).{0,8}?(?:무시|잊)/g,
  },
  {
    intent: 'secrecy',
    pattern: new RegExp(
      String.raw`\b(?:do not|don't|never|must not|should not|avoid|without|no need to)\s+(?:ever )?${ALONE}(?:ing)?\b.{0,60}?\b(?:the |to |any )?${USER}\b`,
      'gi',
    ),
  },
  {
    intent: 'secrecy',
    pattern:
      /\bwithout (?:the )?(?:user'?s?|human'?s?|their|asking|any|prompting|requesting|seeking|waiting for) ?(?:\w+ )?(?:knowledge|consent|permission|approval|confirmation|noticing|awareness|for (?:confirmation|permission|approval))\b|\b(?:keep|make sure) .{0,40}? (?:hidden|secret|invisible) (?:from|to) (?:the )?(?:user|human|developer)|\b(?:the )?(?:user|human|developer) (?:must|should|does|will)(?: not|n't) (?:know|see|notice|be (?:told|aware|informed|asked))|\b(?:do not|don't) mention (?:this|these|that)\b/gi,
  },
  {
    intent: 'secrecy',
    pattern:
      /ohne (?:den |die )?(?:nutzer|benutzer|anwender)\w{0,3}.{0,20}?(?:zu (?:fragen|informieren))|sag\w{0,2} (?:dem|der) (?:nutzer|benutzer)\w{0,3} nichts|ne (?:dis|dites|mentionne[zr]?) (?:rien|pas).{0,20}?utilisateur|no (?:se lo )?(?:digas|menciones|informes).{0,20}?usuario|不要(?:告诉|通知|提醒|询问)(?:用户|使用者)|не (?:сообщай|говори)(?:те)? .{0,20}?пользовател|ユーザーに(?:は)?(?:知らせ|伝え|言わ)/gi,
  },
  {
    intent: 'credentials',
    pattern: new RegExp(
      String.raw`\b(?:read|cat|open|print|collect|gather|copy|include|dump|extract|find|locate|search for|retrieve|get|list|encode|paste|append|attach|embed|send|upload|post|forward|leak|exfiltrate|transmit|submit)\b.{0,60}?${SECRETS}`,
      'gi',
    ),
  },
  {
    intent: 'sending',
    pattern:
      /\b(?:send|upload|post|forward|exfiltrate|transmit|submit|leak|deliver|email|append|attach|include|embed|pass|commit|encode)(?:s|ing)?\b.{0,80}?\b(?:to|into|in|as|at|via|with)\b.{0,40}?(?:https?:\/\/|webhook|endpoint|\bserver|query (?:string|parameter)|\burl\b|gist|\bissue\b|\bcomment\b|\bparameter\b|side ?note|remote|pull request)/gi,
  },
  {
    intent: 'disarm',
    pattern:
      /\b(?:disable|skip|bypass|turn off|switch off|deactivate|remove|suppress|circumvent)\b.{0,30}?\b(?:security|safety|sandbox(?:ing)?|antivirus|defender|firewall|code review|signature (?:check|verification)|permission (?:checks?|prompts?)|(?:safety|security) (?:checks?|warnings?|filters?)|guard ?rails|confirmation prompts?|approval prompts?)\b|--no-verify\b|NODE_TLS_REJECT_UNAUTHORIZED\s{0,3}=\s{0,3}["']?0|--disable-sandbox|--no-sandbox\b/gi,
  },
  {
    intent: 'widen',
    pattern:
      /--dangerously-skip-permissions|--dangerously-bypass-approvals|--yolo\b|--trust-all-tools|bypassPermissions|"?(?:autoApprove|alwaysAllow|auto_approve)"?\s{0,3}[:=]\s{0,3}(?:true|\[\s{0,3}"\*)|\b(?:auto-?approve|automatically approve|always (?:approve|allow|accept|confirm)|approve (?:all|every|any)|grant (?:yourself|itself|the agent|full|all|unrestricted))\b.{0,40}?\b(?:commands?|tools?|permissions?|requests?|access|prompts?|changes|actions|calls)\b|\bBash\(\*(?::\*)?\)|\b(?:run|execute) (?:all |any |every )?(?:commands?|it|them|this) (?:automatically|silently|immediately|without (?:asking|confirmation|approval|review))/gi,
  },
  {
    intent: 'address',
    pattern:
      /<\/?(?:system|important|instructions?|assistant|secret|system-reminder|admin)>|\[\/?(?:INST|SYSTEM)\]|<\|(?:im_start|system|endoftext)\|>|^\s{0,8}#{0,4} ?(?:SYSTEM|ASSISTANT|IMPORTANT (?:FOR|TO|NOTE (?:FOR|TO)))\b.{0,20}?(?:PROMPT|MESSAGE|OVERRIDE|AI|AGENTS?|ASSISTANTS?|LLMS?)?:|\b(?:AI|LLM|coding|code|language|autonomous) (?:assistants?|agents?|models?)\b.{0,40}?\b(?:must|should|shall|have to|need to|are required|is required|reading|processing|:)|\b(?:if you are|as|dear|attention|note to|hey),? (?:an? |any |all )?(?:AI|LLM|assistant|agent|language model|coding agent|copilot|claude|chatgpt|gpt|cursor|codex|gemini)\b|\b(?:claude|copilot|cursor|chatgpt|codex|gemini)\b[:,] (?:you|please|do|must|run|execute|always|never|when)/gim,
  },
  {
    intent: 'decode',
    pattern:
      /\b(?:decode|decrypt|unbase64|base64[- ]?decode|atob)\b.{0,120}?\b(?:follow|execute|obey|(?<!`[\w ]{0,40})run(?! ?time)|carry out|comply|instructions)\b|\b(?:follow|execute|obey|carry out)\b.{0,60}?\b(?:decoded|base64|rot13|encoded) (?:instructions?|text|message|content|string|block)/gi,
  },
];

export interface IntentMatch {
  readonly intent: Intent;
  readonly start: number;
  readonly length: number;
}

/** More hints than this tell nothing new about one text. */
const MAX_MATCHES = 200;

/** Words without which no phrase matches: most text has none of them. */
const HINT =
  /ignor|disregard|forget|discard|obey|follow|supersede|overrid|you are now|from now on|new (?:system )?instruction|mode|vergiss|missacht|oublie|olvid|omiso|omit|\u5ffd|\u65e0\u89c6|\u7121\u8996|\u5fd8|\u4e0d\u8981|\u0438\u0433\u043d\u043e\u0440|\u0437\u0430\u0431\u0443\u0434\u044c|\u043d\u0435 |\u6307\u793a|\u547d\u4ee4|\uc9c0\uc2dc|not |never|n't|without|ohne|approv|permission|dangerous|yolo|sandbox|no-verify|disable|skip|bypass|secret|credential|\.env|ssh|assistant|agent|system|inst\]|decode|claude|copilot|chatgpt|cursor|codex|gemini|auto/i;

/** What `text` says to an agent, in order. */
export function findIntents(text: string): IntentMatch[] {
  if (!HINT.test(text)) return [];
  const found: IntentMatch[] = [];
  for (const { intent, pattern } of PHRASES) {
    for (const match of text.matchAll(pattern)) {
      if (found.length >= MAX_MATCHES) break;
      if (isForbidden(text, match.index)) continue;
      found.push({ intent, start: match.index, length: match[0].length });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** "Never commit secrets": the sentence forbids what the phrase asks for. */
function isForbidden(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 70), start);
  const sentence = before.slice(
    Math.max(...['. ', '! ', '\n', ': '].map((end) => before.lastIndexOf(end))) + 1,
  );
  return /\b(?:never|do not|don't|must not|should not|shouldn't|cannot|can't|avoid|refuse to|not allowed to|prohibited|forbidden)\b(?!.*\b(?:and|but|then|instead|first)\b)/i.test(
    sentence,
  );
}

const DISCUSSION =
  /prompt[- ]injection|jailbreak|attack(?:er|s)?\b|malicious|adversar|phrases? (?:like|such as)|such as|for example|e\.g\.|detect(?:s|or|ion)?\b|vulnerab|red[- ]team|untrusted|payloads?\b|threat|mitigat|sanitiz|test (?:case|that)|refuse to|guard ?rails|owasp|exploit/i;

/** Whether the text around a match talks about such instructions instead of giving them. */
export function isDiscussion(text: string, start: number, end: number): boolean {
  return DISCUSSION.test(text.slice(Math.max(0, start - 400), end + 200));
}
