/**
 * Examines a build that is to be published. In addition to what the generator requires of every version, which
 * must stay as it is for published ones, this is required of new versions.
 */
import { MANIFEST_FILE } from '../format/build/build-files.ts';
import { printable } from '../format/build/file-path.ts';
import type { Manifest } from '../format/build/manifest.ts';
import { shownTextProblem } from '../format/document/shown-text.ts';
import { finding, sortFindings, type Finding } from '../format/finding/finding.ts';
import { examineBuild, type ExaminedBuild, type ScanEnd } from './examine-build.ts';
import type { SourceBuild } from './validate.ts';

/** `examineBuild`, with errors for paths beyond ASCII, for texts that people do not see as they are, and for a build that places no file. */
export function examineProposal(source: SourceBuild, ended?: ScanEnd): ExaminedBuild {
  const examined = examineBuild(source, undefined, ended);
  if (examined.valid === undefined) return examined;
  const { installed, manifest, files } = examined.valid.build;
  const faults = [...checkTexts(manifest), ...checkPaths(files.map(({ path }) => path))];
  if (installed.length === 0) faults.push(finding('manifest-places-nothing', MANIFEST_FILE));
  if (faults.length === 0) return examined;
  return {
    ...examined,
    findings: sortFindings([...examined.findings, ...faults]),
    faults: sortFindings([...examined.faults, ...faults]),
    isPublishable: false,
  };
}

/** File systems disagree about letter case and normal forms only beyond ASCII. */
function checkPaths(paths: readonly string[]): Finding[] {
  return paths
    .filter((path) => !/^[ -~]*$/.test(path))
    .map((path) => finding('file-path-ascii', printable(path)));
}

/** The texts that pages, terminals and coding agents show; those of variables may have lines. */
function checkTexts({ description, keywords = [], env = {}, ...urls }: Manifest): Finding[] {
  const variables = Object.entries(env);
  const texts: (readonly [field: string, text: string | undefined, hasLines?: boolean])[] = [
    ['description', description],
    ...keywords.map((word) => ['keywords', word] as const),
    ...variables.map(([name, one]) => [`env.${name}.description`, one.description, true] as const),
    ...variables.map(([name, one]) => [`env.${name}.example`, one.example, true] as const),
    ['repository', urls.repository],
    ['homepage', urls.homepage],
  ];
  return texts.flatMap(([field, text = '', hasLines]) => {
    const problem = shownTextProblem(text, hasLines);
    return problem === undefined
      ? []
      : [finding('manifest-text', MANIFEST_FILE, { field, problem })];
  });
}
