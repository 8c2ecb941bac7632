// Installs the software that registry.config.json names, where it has the digest that stands there.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const config = process.argv[2] ?? 'registry.config.json';
const { address, integrity } = JSON.parse(readFileSync(config, 'utf8')).software;
const isRemote = /^https?:/.test(address);
const response = isRemote ? await fetch(address) : undefined;
if (response?.ok === false) throw new Error(`${address} was answered with ${response.status}`);
const bytes = isRemote ? Buffer.from(await response.arrayBuffer()) : readFileSync(address);
const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
if (digest !== integrity) throw new Error(`${address} has the digest ${digest}, not ${integrity}`);
const folder = 'node_modules/.stackyard';
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/package.json`, '{ "private": true }\n');
writeFileSync(`${folder}/software.tgz`, bytes);
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
execFileSync('npm', ['install', ...options, './software.tgz'], { cwd: folder, stdio: 'inherit' });
