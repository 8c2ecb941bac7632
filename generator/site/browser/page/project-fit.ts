/** The part of the search page that asks for a file of a visitor's project: dropped, chosen or pasted, and read here only. */
import { element } from './element.ts';
import type { ProjectFacts } from './project-file.ts';
import type * as projectFile from './project-file.ts';
import type { SearchBuild } from '../../search/search-terms.ts';

/** How many of the best builds are compared with a project. */
export const FITTED_BUILDS = 100;

type Reader = typeof projectFile;

interface ProjectFit {
  /** Whether there is a project to compare with. */
  readonly isOn: () => boolean;
  /** Those that could be added to the project, and marks for their rows. A foundation starts a project: it is added to none. */
  readonly keep: (builds: readonly SearchBuild[]) => readonly SearchBuild[];
  readonly marks: (build: SearchBuild) => HTMLElement[];
}

/** @param changed is called when there is another project, or none */
export function addProjectFit(page: HTMLElement, changed: () => void): ProjectFit {
  const box = page.querySelector<HTMLDetailsElement>('[data-fit]');
  const text = box?.querySelector('textarea');
  const file = box?.querySelector<HTMLInputElement>('input[type=file]');
  const status = box?.querySelector('[role=status]');
  const clear = box?.querySelector('button');
  let reader: Reader | undefined;
  let facts: ProjectFacts | undefined;
  let reads = 0;

  const fitOf = (build: SearchBuild): ReturnType<Reader['fitOf']> | undefined =>
    facts && reader?.fitOf(facts, build);
  const result: ProjectFit = {
    isOn: () => facts !== undefined,
    keep: (builds) =>
      builds.filter((one) => one.kind === 'module' && fitOf(one)?.needs.length === 0),
    marks: (build) => {
      const unsure = fitOf(build)?.unsure ?? [];
      return unsure.length === 0
        ? []
        : [element('span', 'mark mark-caution', `if it has ${unsure.join(', ')}`)];
    },
  };
  if (!box || !text || !file || !status || !clear) return result;

  const use = async (take: (own: Reader) => Promise<ProjectFacts>): Promise<void> => {
    reads += 1;
    const read = reads;
    let found: ProjectFacts | undefined;
    let message: string;
    try {
      reader ??= await import('./project-file.ts');
      found = await take(reader);
      message = `Shown is what fits: ${found.size} tags of your project were found.`;
    } catch (error) {
      const isKnown = reader !== undefined && error instanceof reader.ProjectFileError;
      message = isKnown ? error.message : 'The file cannot be read';
    }
    // A later file counts.
    if (read !== reads) return;
    facts = found;
    status.textContent = message;
    clear.hidden = false;
    changed();
  };
  const readFiles = (files: readonly File[]): void => {
    if (files.length === 0) return;
    box.open = true;
    void use(async ({ decodeProject, readProject }) => {
      const all = new Map<string, ReturnType<ProjectFacts['get']> & {}>();
      for (const one of files) {
        const bytes = new Uint8Array(await one.slice(0, 1_000_001).arrayBuffer());
        for (const [tag, fact] of readProject(one.name, decodeProject(one.name, bytes))) {
          if (!all.has(tag)) all.set(tag, fact);
        }
      }
      return all;
    });
  };
  const reset = (): void => {
    reads += 1;
    facts = undefined;
    text.value = '';
    file.value = '';
    status.textContent = '';
    clear.hidden = true;
    changed();
  };

  file.addEventListener('change', () => readFiles([...(file.files ?? [])]));
  text.addEventListener('input', () => {
    if (text.value.trim() === '') reset();
    else void use(async ({ readProject }) => readProject(undefined, text.value));
  });
  clear.addEventListener('click', () => {
    reset();
    file.focus();
  });
  page.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
  });
  page.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    readFiles(files);
  });
  return result;
}
