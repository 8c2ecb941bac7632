/**
 * What counts as the same word in a search: words of a text, the stem that the forms of an English word share, and the row of
 * synonyms that a word is in. Descriptions, READMEs and queries are untrusted text of any length and language.
 */

/**
 * Words of the field that mean nearly the same in a search: who types one of them also gets builds that have another one,
 * below the builds that have the word itself. A word stands for all its forms (`word-forms.ts`) and is in one row only; two words of
 * a query that make one of these when they are joined are read as that word ("fast api", "sign up").
 */
const ROWS: readonly string[] = [
  'account auth authentication authorization login logon logout signin signup signout register registration user member identity credential oauth oauth2 oidc sso passport',
  'password passwd passphrase passcode',
  'reset recovery recover forgot forgotten restore',
  'email mail mailer smtp newsletter',
  'token jwt jws bearer',
  'database db storage persistence sql sqlite sqlite3 postgres postgresql pg mysql mariadb mongodb mongo orm',
  'migration migrate',
  'server backend api rest restful web webserver webservice microservice endpoint http',
  'frontend ui spa',
  'boilerplate template starter scaffold scaffolding skeleton foundation quickstart kickstart starterkit',
  'express fastify koa nestjs hapi hono',
  'python py fastapi django flask starlette',
  'react vue svelte angular nextjs nuxt sveltekit remix',
  'typescript ts',
  'javascript js',
  'node nodejs',
  'docker dockerfile container podman kubernetes k8s compose',
  'deploy deployment hosting',
  'log logger logging pino winston',
  'metrics monitoring observability telemetry tracing prometheus opentelemetry',
  'test testing vitest jest mocha pytest',
  'validation validate validator zod joi pydantic ajv yup',
  'documentation docs openapi swagger',
  'config configuration settings env dotenv environment',
  'payment billing checkout stripe paypal subscription invoice',
  'upload attachment multipart s3 minio',
  'image picture photo thumbnail avatar',
  'cache caching redis memcached',
  'queue job worker cron scheduler background',
  'realtime websocket websockets socket sse',
  'admin dashboard backoffice panel',
  'chat message messaging',
  'notification notify push alert',
  'i18n internationalization translation locale localization l10n',
  'ratelimit ratelimiter throttle throttling',
  'search fulltext elasticsearch',
  'security secure hardening helmet',
  'crud resource',
  'cli terminal command console',
  'chart graph plot',
  'blog cms article',
  'shop ecommerce store cart',
  'role permission rbac acl',
  'totp 2fa mfa otp twofactor',
  'encryption encrypt crypto cipher',
  'pagination paginate paging',
  'ai llm gpt openai',
];

/** Each word with the first one of its row, which names the row. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap((row) => {
    const words = row.split(' ');
    return words.map((word) => [word, words[0]!]);
  }),
);

const WORDS = /[\p{L}\p{N}]+/gu;

/** Words that say nothing about a build: texts are not found by them, and queries go on without them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and any are as at be by can do does for from has have how i if in into is it its my need of on or our so some than that the their then there they this to use uses using want was we what when where which will with would you your'.split(
    ' ',
  ),
);

/** Endings, longest first, with the letters that must be left. The rest is a start of the word, so both are near in an index. */
const ENDINGS: readonly (readonly [ending: string, left: number])[] = [
  ...['ications', 'ication', 'icating', 'icated', 'icates', 'icate'].map((e) => [e, 4] as const),
  ...['ations', 'ators', 'ation', 'ating', 'ator', 'ated', 'ates', 'ate'].map(
    (e) => [e, 4] as const,
  ),
  ...['ions', 'ings', 'ion'].map((e) => [e, 4] as const),
  ...['ing', 'ies', 'ied', 'ed', 'es', 's', 'e'].map((e) => [e, 3] as const),
];

/** Words repeat in descriptions. */
const STEMS = new Map<string, string>();
const MAX_STEMS = 20_000;

/** Lower-case words of letters and digits. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORDS) ?? [];
}

/** The words of `words` that say something; all of them where none does. */
export function tellingWords(words: readonly string[]): string[] {
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length === 0 ? [...words] : telling;
}

/** Whether a text can be found by this word. */
export function isTelling(word: string): boolean {
  return !STOP_WORDS.has(word);
}

/**
 * The start that the forms of a word share: `migrat` of "migration", "migrations" and "migrate". Other words than those of
 * English letters are their own stem.
 */
export function stemOf(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  if (STEMS.size >= MAX_STEMS) STEMS.clear();
  const stem = findStem(word);
  STEMS.set(word, stem);
  return stem;
}

/** The row of synonyms that has the word; also one for forms of a word in it. */
export function conceptOf(word: string): string | undefined {
  return SYNONYMS.get(word) ?? CONCEPTS.get(stemOf(word));
}

/** Stems of the words of a row; each word with this concept contains one of them. */
export function formsOfConcept(concept: string): string[] {
  return [...CONCEPTS].flatMap(([stem, row]) => (row === concept ? stem : []));
}

/** Words of a query; two that a synonym joins, as in "sign up" and "node js", are one. */
export function joinWords(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const pair = words[at]! + (words[at + 1] ?? '');
    const isOne =
      at + 1 < words.length &&
      (SYNONYMS.has(pair) || (words[at + 1] === 'js' && words[at]!.length > 2));
    joined.push(isOne ? pair : words[at]!);
    if (isOne) at += 1;
  }
  return joined;
}

function findStem(word: string): string {
  if (!/^[a-z]{4,40}$/.test(word)) return word;
  if (word.endsWith('js') && word.length > 4) return word.slice(0, -2);
  if (/(?:ss|us|is|ee|eed)$/.test(word)) return word;
  if (/[^aeiou]y$/.test(word)) return word.slice(0, -1);
  for (const [ending, left] of ENDINGS) {
    const rest = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || rest.length < left) continue;
    // "string" is no form of "str", and "expression" none of "express".
    if (
      ending !== 's' &&
      (!/[aeiouy]/.test(rest) || (rest.endsWith('ss') && ending.startsWith('ion')))
    )
      continue;
    // "logging" has the stem of "log", but "billing" that of "bill".
    return /(?:ing|ed)s?$/.test(ending) && /([^aeioulsz])\1$/.test(rest) ? rest.slice(0, -1) : rest;
  }
  return word;
}

const CONCEPTS: ReadonlyMap<string, string> = new Map(
  [...SYNONYMS].map(([word, row]) => [stemOf(word), row]),
);
