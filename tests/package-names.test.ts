/**
 * No text names a package of a public package registry that is not ours: who takes the name `stackyard-registry` there would run on the
 * machines of our readers. A runner gets the address of a registry, or the path of a file.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CODE_HOSTS } from '../format/registry/registry-config.ts';
import { initRegistry } from '../generator/setup/init-registry.ts';
import { GitFixture, build, temporaryFolder } from './generate/git-fixture.ts';
import { generateDocuments } from './generate/generate-documents.ts';

const ROOT = join(import.meta.dirname, '..');

/** What fetches a package and runs or installs it, with the words behind it. */
const RUNNER =
  /\b(?:npx|bunx|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx|install|i|add|create|init))\s+(?<words>[^\n`'"|;&)]*)/g;
const NAME = /^(?:stackyard|stackyard-registry)(?:@.*)?$/;

/** Commands in `text` that would fetch a package by a name of ours. */
function namedPackages(text: string): string[] {
  return Array.from(text.matchAll(RUNNER)).flatMap(({ 0: command, groups }) => {
    const words = (groups?.['words'] ?? '').split(/\s+/);
    // The package is the word behind --package, otherwise the first one that is no option.
    const named = words.findIndex((word) => /^(?:-p|--package)$/.test(word));
    const isInstall = /\b(?:install|i|add)\b/.test(command.slice(0, command.indexOf(' ', 5)));
    const plain = words.filter((word) => !word.startsWith('-'));
    const packages = named >= 0 ? [words[named + 1] ?? ''] : isInstall ? plain : plain.slice(0, 1);
    return packages.some((word) => NAME.test(word)) ? [command] : [];
  });
}

it.each([
  ['npx stackyard-registry serve', true],
  ['npx --yes stackyard add a/b', true],
  ['npm install --global stackyard', true],
  ['npm i -g stackyard-registry@0.1.0', true],
  ['pnpm dlx stackyard search', true],
  ['bunx stackyard search', true],
  ['npm exec stackyard -- search', true],
  ['npx --yes https://registry.example/client/stackyard.tgz add stackyard/account', false],
  ['bunx --package https://registry.example/client/stackyard.tgz stackyard search', false],
  ['npm install --global ./stackyard-registry-0.1.0.tgz', false],
  ['stackyard add npm', false],
])('namedPackages() of %j: %s', (text, isNamed) => {
  expect(namedPackages(text).length > 0).toBe(isNamed);
});

it('documents, templates, workflows and sources name packages by address or path only', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => /\.(?:md|ts|js|mjs|json|ya?ml|txt|sh|html)$/.test(file))
    .filter((file) => file !== 'tests/package-names.test.ts' && file !== 'package-lock.json');
  const found = files.flatMap((file) => {
    return namedPackages(readFileSync(join(ROOT, file), 'utf8')).map((text) => `${file}: ${text}`);
  });
  expect(found).toEqual([]);
});

it('the files of a new registry and its pages name them by address or path only', async () => {
  const config = {
    name: 'Corp',
    base_url: 'https://corp.example',
    admins: [{ login: 'a', account_id: 1 }],
  };
  const software = { address: 'https://corp.example/registry.tgz', integrity: 'sha512-AA==' };
  const folders = CODE_HOSTS.map((kind) => {
    const folder = join(temporaryFolder(), 'registry');
    initRegistry(folder, { config: { ...config, software }, host: { kind, runner: 'own' } });
    return folder;
  });
  const git = new GitFixture();
  git.commit({ 'registry.config.json': JSON.stringify(config), ...build('a/x', '1.0.0') });
  const out = join(temporaryFolder(), 'index');
  await generateDocuments({ repo: git.folder, out, threads: 1, pages: true });
  const found = [...folders, out].flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git/'))
      .map((entry) => join(entry.parentPath, entry.name))
      .flatMap((file) =>
        namedPackages(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`),
      ),
  );
  expect(found).toEqual([]);
});
