/** What code does as soon as it is installed. */
import { finding, type Finding } from '../../../format/finding/finding.ts';
import { findingIn, type Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { contactsOf } from '../../evidence/command-requests.ts';
import { asksForFile, commandsOf, hostsOf, staysLocal } from '../../evidence/fact-evidence.ts';
import { found, whereTo } from '../../evidence/fact-finding.ts';
import { filesAtInstall, scriptsOf } from '../../evidence/commands.ts';
import { contentType } from '../../text/content-type.ts';
import { obfuscationOf } from './obfuscated-code.ts';

export const installTime: Rule = {
  name: 'install-time',
  run: (build) => {
    const atInstall = filesAtInstall(build);
    return [
      ...build.files.filter((f) => atInstall.has(f.path)).flatMap(hidden),
      ...network(build, atInstall),
      ...programs(build, atInstall),
    ];
  },
};

function hidden(file: ScannedFile): Finding[] {
  const shape = obfuscationOf(file);
  if (shape === undefined) return [];
  return [findingIn(file, 'install-time-hidden', { shape: shape.name }, shape.at, 1)];
}

/** A network request from code that runs at install; other rules judge what it sends. */
function network(build: ScannedBuild, atInstall: ReadonlySet<string>): Finding[] {
  const calls = contactsOf(build).filter((f) => {
    if (!atInstall.has(f.path)) return false;
    return hostsOf(f).length > 0 && !staysLocal(f) && !asksForFile(f, ~0);
  });
  return calls
    .slice(0, 3)
    .map((f) => found(build, 'install-time-network', f, { host: whereTo(f) }));
}

/** A native program that an install script, or code that runs at install, starts; and a package that the script fetches in addition. */
function programs(build: ScannedBuild, atInstall: ReadonlySet<string>): Finding[] {
  // These run only in the project of the author.
  const isOwn = ({ name }: { readonly name: string }): boolean =>
    /prepare$|^prepublish$/.test(name);
  const hooks = scriptsOf(build).filter((one) => one.isHook && !isOwn(one));
  const started = [
    ...hooks.map(({ command }) => command),
    ...build.taint.facts
      .filter(({ action, path }) => action === 'spawn' && atInstall.has(path))
      .flatMap(commandsOf),
  ];
  const natives = build.files.filter(({ path, bytes }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      /^(?:elf|pe|macho)$/.test(contentType(bytes)) && started.some((one) => one.includes(name))
    );
  });
  return [
    ...natives.map(({ path }) => finding('install-time-start', path)),
    ...hooks
      .filter(({ command }) => FETCHES_PACKAGE.test(command))
      .map(({ file, at: start }) =>
        findingIn(file, 'install-time-network', { host: 'a registry' }, start, 1),
      ),
  ];
}

/** A package by its name, in no manifest. */
const FETCHES_PACKAGE =
  /\b(?:npm|pnpm|yarn|bun)\s{1,3}(?:install|i|add)(?:\s{1,3}-\S{1,40}){0,6}\s{1,3}(?![.~/])@?[a-z][\w./-]{1,80}(?:@\S{1,40})?\s{0,3}(?:$|[;&|])/;
