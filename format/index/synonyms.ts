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
