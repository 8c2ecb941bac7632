/** The kind of a file by its name: code that runs, data, or text for people; and whether it is a test. */
import { byPath } from '../parse/by-path.ts';
import { wordPattern, wordsOf } from '../parse/word-list.ts';

/** The kind of a file by its name: code that runs, data, or text for people. */
type FileKind = 'code' | 'data' | 'prose';

const CODE = new Set(
  (
    'js mjs cjs jsx ts mts cts tsx py pyw pyi pth rb php go rs java kt kts scala c h cc cpp hpp cs swift m lua pl pm r jl ' +
    'sh bash zsh fish ps1 psm1 bat cmd vbs vue svelte astro sql gradle groovy tf ex exs dart'
  ).split(' '),
);
const DATA = new Set(
  wordsOf([
    'json jsonc json5 yml yaml toml ini cfg conf xml csv tsv lock css scss less svg html htm map po',
  ]),
);
const MEDIA = new Set(
  wordsOf([
    'png jpg jpeg gif webp bmp ico tif tiff pdf woff woff2 ttf otf eot mp3 mp4 webm wav ogg mov avi heic avif',
  ]),
);
const CODE_NAMES = new Set(
  wordsOf([
    'makefile gnumakefile justfile dockerfile containerfile rakefile gemfile vagrantfile jenkinsfile procfile',
  ]),
);

/** The kind of the file at `path`; without a known name it is text for people. */
export function fileKind(path: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = extensionOf(name);
  if (CODE.has(extension) || CODE_NAMES.has(name) || name.startsWith('dockerfile.')) return 'code';
  return DATA.has(extension) || name.startsWith('.') ? 'data' : 'prose';
}

/** Whether the file is a picture, a font or another recording by its name. */
export function isMediaPath(path: string): boolean {
  return MEDIA.has(extensionOf(path));
}

/** The extension in lower case without its dot; `''` when there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Whether the path is of tests, fixtures or examples, which an install may place but which do not run automatically. */
export const isTestPath = byPath(
  (path): boolean =>
    /(?:^|\/)(?:tests?|testing|t|__tests__|spec|specs|fixtures?|testdata|examples?|mocks?|__mocks__|bench(?:marks?)?)\//i.test(
      path,
    ) ||
    /[._-](?:test|spec)\.[a-z]+$/i.test(path) ||
    /(?:^|\/)test_[^/]*\.py$/i.test(path),
);

/** Narrower than `isTestPath`: code of tests and examples, which users of a build do not run. */
export const isTestOrExamplePath = byPath((path): boolean => TEST_OR_EXAMPLE.test(path));

const TEST_OR_EXAMPLE = wordPattern(/WORDS/, {
  folders: [/(?:^|\/)(?:tests?|__tests__|spec|examples?|benchmarks?|fixtures)\//],
  'file names in JavaScript': [/\.(?:test|spec|bench)\.\w+$/],
  'file names in Python': [/(?:^|\/)(?:test_[^/]*|conftest)\.py$/],
});
