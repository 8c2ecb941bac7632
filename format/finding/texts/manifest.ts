/** The texts of the findings about the form of a build. See `finding-text.ts`. */
import type { FindingText } from './finding-text.ts';

const MANIFEST_WHY = 'Programs read the manifest. A manifest with any error is refused as a whole.';
const PATH_WHY =
  'A path that some file system reads differently could leave the project or overwrite another file.';
const RENAME = 'Rename the file.';

export const MANIFEST_TEXTS = {
  'manifest-missing': manifest(
    () => 'The folder has no stackyard.json',
    'Write it with "stackyard init", at the root of the build folder.',
  ),
  'manifest-size': manifest(
    (a) => `The manifest has ${a['bytes']} bytes: at most ${a['limit']} are read`,
    'Shorten the manifest.',
  ),
  'manifest-encoding': manifest(() => 'The manifest is not UTF-8', 'Save the file as UTF-8.'),
  'manifest-bom': manifest(
    () => 'The manifest begins with a byte order mark',
    'Save the file as UTF-8 without BOM.',
  ),
  'manifest-json': manifest(
    (a) => `The manifest is not JSON: ${a['problem']} at line ${a['line']}, column ${a['column']}`,
    'Correct the JSON; comments and trailing commas are not allowed.',
  ),
  'manifest-object': manifest(
    (a) => `The manifest is ${a['found']}: it must be a JSON object`,
    'Write one object, { "name": ..., "version": ... }.',
  ),
  'manifest-key': manifest(
    (a) => `Key "${a['key']}" ${a['problem']} at line ${a['line']}, column ${a['column']}`,
    'Keep one of the two keys; "__proto__" is not allowed as a key.',
  ),
  'manifest-field-missing': manifest(
    (a) => `Field "${a['field']}" is missing: it must be ${a['wanted']}`,
    'Add the field.',
  ),
  'manifest-field-unknown': manifest(
    (a) =>
      `Field "${a['field']}" is not known${a['nearest'] === undefined ? '' : `: did you mean "${a['nearest']}"?`}`,
    'Remove the field or correct its name.',
  ),
  'manifest-field-type': manifest(
    (a) => `Field "${a['field']}" is ${a['found']}: it must be ${a['wanted']}`,
    'Write a value of the expected type.',
  ),
  'manifest-field-value': manifest(
    (a) => `Field "${a['field']}" is ${a['found']}: it must be ${a['wanted']}`,
    'Write a value of the expected form.',
  ),
  'manifest-name-folder': manifest(
    (a) => `Field "name" is "${a['found']}" in folder "${a['folder']}": the two must be equal`,
    'Rename the folder or correct the field.',
  ),
  'manifest-requires-itself': manifest(
    (a) => `Field "builds" names the build itself, "${a['id']}"`,
    'Remove the entry.',
  ),
  'manifest-glob-unmatched': {
    ...manifest(
      (a) => `Glob "${a['glob']}" in field "files" matches no file`,
      'Correct or remove the glob.',
    ),
    level: 'warn',
  },
  'manifest-text': {
    ...manifest(
      (a) => `Field "${a['field']}" ${a['problem']}`,
      'Write the text on one line, in characters that people see.',
    ),
    why: 'Pages, terminals and coding agents show the text. The gate refuses new versions whose texts are blank, or act otherwise than people see.',
  },
  'manifest-places-nothing': {
    ...manifest(
      () => 'An install would place no file: field "files" selects none of the build',
      'Add the files that users need, or correct the globs in "files".',
    ),
    why: 'Users who add such a build get nothing. The gate refuses new versions like that.',
  },
  'build-id-owner': manifest(
    (a) =>
      `Owner folder "${a['owner']}" is not a login: use 1 to 39 of a-z, 0-9 and "-" inside, and no Windows device such as "con"`,
    'Name the folder as the owner logs in to the code host, in lower case.',
  ),
  'build-id-name': manifest(
    (a) =>
      `Build folder "${a['name']}" is not a build name: use 1 to 50 of a-z, 0-9 and "-" inside, and no Windows device such as "con"`,
    'Rename the folder.',
  ),
  'build-id-case': manifest(
    (a) => `The id differs from build "${a['twin']}" in case only`,
    'Choose another name.',
  ),
  'build-id-depth': manifest(
    () => 'The manifest is not in a folder builds/<owner>/<name>/',
    'Move the build into its own folder below the owner folder.',
  ),
  'build-id-symlink': manifest(
    () => 'A symbolic link stands where a folder should be',
    'Commit the folder itself.',
  ),
  'build-id-submodule': manifest(
    () => 'A git submodule stands where a folder should be',
    'Commit the files themselves.',
  ),
  'owner-file-invalid': manifest(
    (a) => `The owner file cannot be used: ${a['problem']}`,
    'Correct the file; until then the previous one stays in force.',
  ),
  'owner-file-yank-unknown': manifest(
    (a) => `The owner file yanks "${a['version']}", which was never published`,
    'Correct the version or remove the entry.',
  ),
  'owner-file-withdrawal': manifest(
    (a) => `The withdrawal or take-down of "${a['version']}" does not count: ${a['problem']}`,
    'Correct the version, or yank it instead.',
  ),
  'integrity-taken-down': manifest(
    () => 'The build was taken down as a whole: it publishes no more versions',
    'Publish under another id what may be published, or ask the admins of the registry.',
  ),
  'owner-file-move': manifest(
    (a) => `The move of "${a['id']}" to "${a['to']}" does not count: ${a['problem']}`,
    'Publish a build under the new id, let its owner list the old id under "accepts", and let no move lead back.',
  ),
  'signals-invalid': manifest(
    (a) => `The signals cannot be used: ${a['problem']}`,
    'Write the file with the ingest command only.',
  ),
  'compatibility-invalid': manifest(
    (a) => `The compatibility matrix cannot be used: ${a['problem']}`,
    'Write the file with the matrix command only, or delete it; its schema is schemas/matrix.schema.json.',
  ),
  'advisory-invalid': manifest(
    (a) => `The advisory cannot be used: ${a['problem']}`,
    'Correct the file; its schema is schemas/advisory.schema.json.',
  ),
  'moderation-waiver': manifest(
    (a) => `A waiver does not hold: ${a['problem']}`,
    'Correct or remove it; docs/publishing.md has an example, schemas/moderation.schema.json the schema.',
  ),
  'integrity-version-changed': manifest(
    (a) =>
      `Version ${a['version']} was published by commit ${a['first']} and has other content in commit ${a['second']}`,
    'Publish the change as a new version; the first publication stands. A commit that must stay is listed under "acknowledged" in registry.config.json.',
  ),
  'integrity-commit-time': manifest(
    (a) => `Commit ${a['commit']} ${a['problem']}`,
    'Correct the clock of the machine, and commit what was left out under a greater version.',
  ),
  'integrity-version-precedence': manifest(
    (a) =>
      `Version ${a['version']} of commit ${a['second']} differs from version ${a['published']}, published by commit ${a['first']}, in build metadata only`,
    'Publish the change under a greater version; the first publication stays.',
  ),
  'integrity-refused-before': manifest(
    (a) =>
      `An earlier run refused it${a['codes'] === '' ? '' : ` (${a['codes']})`}, and refused stays refused, although the rules of today accept it`,
    'Publish it under a greater version.',
  ),
  'build-files-count': manifest(
    (a) => `The build has ${a['count']} files: at most ${a['limit']} are allowed`,
    'Publish fewer files.',
  ),
  'build-files-unreadable': manifest(
    (a) => `It cannot be read from git: ${a['problem']}`,
    'Commit it again under a greater version; "git fsck" names damaged objects.',
  ),
  'build-files-size': manifest(
    (a) => `The files have ${a['bytes']} bytes in all: at most ${a['limit']} are allowed`,
    'Publish less; large data does not belong in a build.',
  ),
  'build-tarball-size': manifest(
    (a) => `The tarball has ${a['bytes']} bytes: at most ${a['limit']} are allowed`,
    'Publish less; large data does not belong in a build.',
  ),
  'file-size': manifest(
    (a) => `The file has ${a['bytes']} bytes: at most ${a['limit']} are allowed`,
    'Remove or split the file.',
  ),
  'file-encoding': manifest(
    () => 'The file is not UTF-8, and the package record shows it as text',
    'Save the file as UTF-8.',
  ),
  'file-symlink': manifest(
    () => 'The file is a symbolic link: only files are allowed',
    'Commit the file itself.',
  ),
  'file-submodule': manifest(
    () => 'The entry is a git submodule: only files are allowed',
    'Commit the files themselves.',
  ),
  'file-mode': manifest(
    (a) => `The entry has mode ${a['mode']} in git: only 100644, 100755 and 040000 are allowed`,
    'Commit the file again with git, which writes no other mode for files and folders.',
  ),
  'file-path-empty': path(() => 'The path is empty'),
  'file-path-absolute': path(() => 'The path is absolute: paths are relative to the build'),
  'file-path-backslash': path(() => 'The path has a backslash: segments are separated by "/"'),
  'file-path-traversal': path(() => 'The path has a ".." segment: it would leave the build'),
  'file-path-not-normal': path(
    () => 'The path is not in its only spelling: no empty or "." segment, Unicode in NFC',
  ),
  'file-path-too-long': path(() => 'The path is longer than 255 bytes'),
  'file-path-too-deep': path(() => 'The path is more than 32 segments deep'),
  'file-path-invisible': path(() => 'The path has a control or invisible character'),
  'file-path-character': path(() => 'The path has one of the characters < > : " | ? *'),
  'file-path-trailing': path(() => 'A segment of the path ends with a dot or a space'),
  'file-path-reserved': path(
    () => 'A segment of the path is a device name of Windows, such as "con"',
  ),
  'file-path-git': path(() => 'The path leads into a ".git" folder'),
  'file-path-ascii': path(
    () => 'The path has a character that is not printable ASCII: U+0020 to U+007E are allowed',
  ),
  'file-path-encoding': path(() => 'The path is not UTF-8'),
  'file-path-collision': path(
    (a) =>
      `The path and "${a['twin']}" are one file where case is not kept, or one is the folder of the other`,
  ),
} as const satisfies Record<string, FindingText>;

function manifest(message: FindingText['message'], remedy: string): FindingText {
  return { group: 'manifest', level: 'error', message, why: MANIFEST_WHY, remedy };
}

function path(message: FindingText['message']): FindingText {
  return { group: 'manifest', level: 'error', message, why: PATH_WHY, remedy: RENAME };
}
