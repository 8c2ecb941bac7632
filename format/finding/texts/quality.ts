/** The texts of the findings that lower the quality score. See `finding-text.ts`. */
import { type FindingText, textsOf } from './finding-text.ts';

const quality = textsOf('quality');

export const QUALITY_TEXTS = {
  'license-file-missing': quality.warn(
    (a) => `No licence file for "${a['license']}" at the root of the build`,
    'Most licences require that every copy includes their text.',
    'Add LICENSE with the text of the licence that the manifest names.',
  ),
  'license-file-empty': quality.warn(
    () => 'The licence file is empty',
    'Most licences require that every copy includes their text.',
    'Put the text of the licence into the file.',
  ),
  'source-unparsed': quality.warn(
    () => 'The file has a syntax error: checks may not have read what follows it',
    'Code that does not parse does not run, and checks that need its syntax cannot clear it.',
    'Correct the syntax, or give files in another dialect another extension.',
  ),
  'packed-code': quality.warn(
    (a) => `Minified, ${a['share']} % of the code: ${a['why']}`,
    'Minified code cannot be reviewed. The safety checks analyse it like any other code.',
    'Publish the readable source. A library belongs in the dependencies.',
  ),
  'license-file-other': quality.warn(
    (a) => `The manifest names "${a['license']}" and the text is that of "${a['other']}"`,
    'It is not clear which of the two licences applies.',
    'Correct the field "license", or put the text of the licence that it names into the file.',
  ),
  'license-file-unknown': quality.warn(
    (a) => `The text is not that of "${a['license']}", nor of another licence of the SPDX list`,
    'Every user has to read a licence text that is not a standard one.',
    'Use the text of the SPDX list; change only year and name.',
  ),
  'guide-readme-missing': unhelpful(
    () => 'No README.md: nothing explains what the build does',
    'Write what the build does, for whom, and a short example.',
  ),
  'guide-readme-short': unhelpful(
    (a) =>
      `README.md has ${a['words']} words: at least ${a['wanted']} are needed to explain what a build does`,
    'Write what the build does, for whom, and a short example.',
  ),
  'guide-readme-example': unhelpful(
    () => 'README.md has no example: no fenced code',
    'Add a code fence that shows the build in use.',
  ),
  'guide-integration-missing': unhelpful(
    () => 'No INTEGRATION.md: nothing explains how to integrate the build',
    'Write the steps under the fixed headings: Preconditions, What was installed, Steps, Configure, Verify, Use it, If something fails, Undo.',
  ),
  'guide-integration-headings': unhelpful(
    (a) => `INTEGRATION.md has no headings ${a['missing']}`,
    'Add them; agents look for the headings by name.',
  ),
  'guide-readme-unfilled': unfilled('README.md'),
  'guide-integration-unfilled': unfilled('INTEGRATION.md'),
  'guide-description-unfilled': unhelpful(
    () => 'Field "description" still is the sentence of its template',
    'Write what the build does, in one sentence.',
  ),
  'guide-exports': unhelpful(
    (a) =>
      `README.md and INTEGRATION.md name ${a['named']} of ${a['exports']} exports of the index; missing: ${a['missing']}`,
    'Write in README.md what each export is for, or do not export it.',
  ),
  'guide-verify': unhelpful(
    () => 'Section "Verify" of INTEGRATION.md has nothing to run',
    'Add a fence with a command, with code, or with the expected answers ("expect").',
  ),
  'guide-title': unhelpful(
    (a) =>
      `The title of INTEGRATION.md names version ${a['named']}, and the build is ${a['version']}`,
    'Leave the version out of the title: the manifest has it.',
  ),
  'workmanship-tests-few': unhelpful(
    (a) => `Few tests: ${a['tests']} lines for ${a['code']} lines of code`,
    'Test what users rely on. Tests belong to the build and are left out of "files".',
  ),
  'workmanship-lines': unhelpful(
    (a) =>
      `Long lines of code: ${a['lines']} have more than ${a['limit']} columns, in ${a['files']} files`,
    'Wrap them, or let a formatter do it.',
  ),
  'workmanship-tests': unhelpful(
    () => 'No tests: no file is named or placed as a test',
    'Add tests that the installed build passes, such as x.test.ts or tests/test_x.py, and leave them out of "files".',
  ),
  'tag-interface-missing': quality.info(
    (a) => `The build provides "${a['tag']}" and does not export: ${a['names']}`,
    'Other builds import these names from every build that provides the tag, as docs/modules.md documents.',
    'Export the names from the index of the build, or leave the tag out.',
  ),
  'screenshot-unusable': quality.info(
    (a) => `The page of the build does not show the picture: ${a['why']}`,
    'Pages show a picture of what a build looks like, within bounds that keep them small.',
    'Make a PNG or WebP within these bounds, or leave it out.',
  ),
  'workmanship-tests-placed': quality.info(
    (a) => `Installing the build places ${a['tests']} files of tests or examples in the project`,
    'The project compiles and runs them with its own settings and programs: they fail where these differ.',
    'Leave them out of the field "files": ["**", "!**/*.test.ts"]. They stay in the published build.',
  ),
  'workmanship-types': unhelpful(
    (a) => `Most code has no types: ${a['untyped']} of ${a['files']} files`,
    'Write TypeScript, add declarations or JSDoc types; in Python annotate functions.',
  ),
  'content-untidy': unhelpful(
    (a) => `Has ${a['count']} files that tools left behind, such as "${a['path']}"`,
    'Remove them, and list them in .gitignore.',
  ),
  'content-values': unhelpful(
    (a) => `File "${a['path']}" is for values of one machine`,
    'Remove it; publish .env.example with the names.',
  ),
  'content-lock': unhelpful(
    (a) =>
      `File "${a['path']}" is the lock of one project: where the build is installed there is another`,
    'Remove it.',
  ),
  'content-pointer': unhelpful(
    () => 'The file is a pointer of Git LFS or git-annex, not the content',
    'Commit the content: "git lfs untrack", then "git add --renormalize".',
    'error',
  ),
  'content-shebang': unhelpful(
    () => 'The line of "#!" ends with CRLF: the program does not start on Linux and macOS',
    'Save it with LF line ends.',
  ),
  'content-encoding': unhelpful(
    () => 'The code is not UTF-8: some characters are misread',
    'Save it as UTF-8.',
    'info',
  ),
  'content-large': unhelpful(
    (a) =>
      `Has ${a['files']} files and ${a['bytes']} bytes: more than ${a['most']} files or ${a['limit']} bytes cannot be reviewed`,
    'Publish less, or several builds.',
  ),
  'metadata-description': unhelpful(
    (a) =>
      `The description has ${a['length']} characters: at least ${a['wanted']} are needed to explain what a build does`,
    'Describe what the build does, with the words that people search for.',
  ),
  'metadata-keywords': unhelpful(
    (a) =>
      `Field "keywords" has ${a['keywords']} words: at least ${a['wanted']} are needed for search`,
    'Add the words that people search for.',
  ),
  'metadata-env': unhelpful(
    (a) => `Variables without a description: ${a['variables']}`,
    'Describe in "env" what each variable is for.',
  ),
  'env-undeclared': quality.warn(
    (a) => `The code reads "${a['name']}", which the manifest does not declare`,
    'The client learns from the manifest alone which variables users have to set.',
    'Add the variable to "env" in the manifest, with a description.',
  ),
  'env-unread': quality.info(
    (a) => `The manifest declares "${a['name']}", which no code reads`,
    'People set variables that a manifest names; one without effect misleads them.',
    'Remove the variable from "env" in the manifest, or read it.',
  ),
} as const satisfies Record<string, FindingText>;

/** Of what makes a build hard to choose. */
function unhelpful(
  message: FindingText['message'],
  remedy: string,
  level: FindingText['level'] = 'warn',
): FindingText {
  const why = 'People and agents choose builds that they can understand, try and rely on.';
  return quality[level](message, why, remedy);
}

function unfilled(file: string): FindingText {
  const remedy = 'Write what it asks for, or delete the section.';
  return unhelpful((a) => `${file}: template text left: ${a['sentences']}`, remedy);
}
