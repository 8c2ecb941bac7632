/** The command `fleet`: which project of a team has which version of which build. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { forAll } from '../../format/audit/audit-map.ts';
import { defineCommand } from '../../format/command/command.ts';
import { parseDocument } from '../../format/document/document.ts';
import { REGISTRY_PATH, headPath } from '../../format/index/layout.ts';
import { Head } from '../../format/index/record.ts';
import { RegistryInfo, statedOrigin } from '../../format/index/registry-info.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { GeneratorError, usageError } from '../errors.ts';
import { readPublished } from '../log/published-log.ts';
import { programVersion } from '../packaged.ts';
import {
  FleetDocument,
  fleetBill,
  fleetDocument,
  fleetSarif,
  type RepositoryRow,
} from '../fleet/fleet-document.ts';
import { fleetPage } from '../fleet/fleet-page.ts';
import { readRepository } from '../fleet/read-repository.ts';
import { repositoriesOf } from '../fleet/sources.ts';
import { writeWhole } from '../write-whole.ts';
import { texts } from './fields.ts';

const FORMS = ['sarif', 'cyclonedx'] as const;

export const command = defineCommand({
  description:
    'Reads the locks of many repositories into a folder of its own: fleet.json and a page that works without a server. A further run reads only what changed. The folder names private repositories: nothing else of this program reads or serves it',
  input: z.object({
    source: texts(
      'place',
      'github:<organisation>, gitlab:<group>, gitea:<address of an organisation>, forgejo:<the same>, a git address, a folder, or a file with a list of these; repeat it',
    ),
    registry: texts(
      'place',
      'an address or folder of a registry to compare with; builds of other registries are listed only; repeat it',
    ),
    out: z.string().default('fleet').meta({ description: 'the folder', placeholder: 'dir' }),
    also: z.array(z.enum(FORMS)).default([]).meta({
      description: 'write fleet.sarif, or fleet.cdx.json (CycloneDX 1.6), too',
      placeholder: 'form',
      hasCommas: true,
    }),
  }),
  notes: [
    'Environment: STACKYARD_FLEET_TOKEN is sent to the code host of an organisation or group, and with git to its repositories. Other addresses use what git has: its credential helper, ssh-agent.',
    'Exit status: 0 everything was read; 1 some repositories were not, and the page names them; 2 wrong usage.',
  ],
  examples: ['fleet --source github:acme --registry https://registry.example.org'],
  run: async ({ source, registry, out, also }) => {
    if (source.length === 0) throw usageError('fleet', 'There is no --source');
    const folder = resolve(out);
    checkFolder(folder);
    const file = join(folder, 'fleet.json');
    const known = readKnown(file);
    const token = process.env['STACKYARD_FLEET_TOKEN'] || undefined;
    const wait = Number(process.env['CODE_HOST_WAIT_SECONDS'] ?? '1');
    const repositories = await repositoriesOf(source, token, wait);
    const { registries, findHead } = await openRegistries(registry);
    const rows = new Map<string, RepositoryRow>();
    let reused = 0;
    await forAll(repositories, async (one) => {
      const before = known?.repositories[one.name];
      const row = await readRepository(one, before);
      if (row === before) reused += 1;
      rows.set(one.name, row);
    });
    const sorted = new Map(repositories.map(({ name }) => [name, rows.get(name)!]));
    const at = new Date().toISOString();
    const fleet = await fleetDocument(sorted, registries, findHead, known?.history ?? [], at);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const version = programVersion();
    const write = (name: string, document: object): void =>
      writeWhole(join(folder, name), `${JSON.stringify(document)}\n`);
    if (also.includes('sarif')) write('fleet.sarif', fleetSarif(fleet, version));
    if (also.includes('cyclonedx')) write('fleet.cdx.json', fleetBill(fleet, version));
    writeWhole(join(folder, 'index.html'), fleetPage(fleet));
    write('fleet.json', fleet);
    const unread = [...sorted].filter(
      ([, { state }]) => !['read', 'empty', 'archived'].includes(state),
    );
    for (const [name, { state, problem = '' }] of unread)
      console.error(`${name}: ${state} ${problem}`);
    const { projects, with: of } = fleet.history.at(-1)!;
    console.log(`repositories: ${sorted.size}, unchanged: ${reused}, not read: ${unread.length}`);
    const found = Object.entries(of).map(([rule, count]) => `, ${rule}: ${count}`);
    console.log(`projects: ${projects}${found.join('')}`);
    console.log(`written: ${join(folder, 'index.html')}, fleet.json`);
    return unread.length === 0 ? 0 : 1;
  },
});

/** What is in an index or a registry's repository may become public. */
function checkFolder(folder: string): void {
  const isPublic = [REGISTRY_PATH, CONFIG_FILE].some((name) => existsSync(join(folder, name)));
  if (!isPublic) return;
  throw new GeneratorError('ERR_OUT_FOLDER', `"${folder}" is an index or a registry's repository`, {
    hint: 'give a folder of its own with --out: the inventory names private repositories',
  });
}

/** What an earlier run wrote; `undefined` before the first. */
function readKnown(file: string): FleetDocument | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const found = FleetDocument.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (found.success) return found.data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new GeneratorError('ERR_STATE', `Cannot read "${file}": it is not one of this version`, {
    hint: 'delete it, or give another folder with --out: its history is lost then',
  });
}

/** Addresses that a lock names are never asked: only those that the operator gives. */
async function openRegistries(places: readonly string[]) {
  const readers = new Map<string, ReturnType<typeof readPublished>>();
  const registries: Record<string, string> = {};
  for (const place of places) {
    const read = readPublished(place);
    const bytes = await read(REGISTRY_PATH);
    if (bytes === undefined) throw usageError('fleet', `There is no registry at "${place}"`);
    const info = parseDocument(RegistryInfo, bytes, REGISTRY_PATH);
    const folder = pathToFileURL(resolve(place)).href;
    const address = /^https?:/.test(place) ? place : info.base_url || folder;
    const origin = statedOrigin(info, address);
    readers.set(origin, read);
    registries[origin] = address;
  }
  const heads = new Map<string, Promise<Head | undefined>>();
  const readHead = async (origin: string, id: string): Promise<Head | undefined> => {
    const bytes = await readers.get(origin)?.(headPath(id));
    return bytes === undefined ? undefined : parseDocument(Head, bytes, headPath(id));
  };
  const findHead = (origin: string, id: string): Promise<Head | undefined> => {
    const key = `${origin} ${id}`;
    const found = heads.get(key) ?? readHead(origin, id);
    heads.set(key, found);
    return found;
  };
  return { registries, findHead };
}
