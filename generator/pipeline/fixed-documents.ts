/** The documents that every index has once: `registry.json`, the schemas, the headers and the client. */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import {
  CLIENT_PATH,
  HEADERS_PATH,
  REGISTRY_PATH,
  SCHEMA_NAMES,
  clientPath,
  schemaPath,
} from '../../format/index/layout.ts';
import { INTERFACE_VERSION } from '../../format/index/registry-info.ts';
import { jsonSchema } from '../../format/json-schema.ts';
import {
  originOfRegistry,
  originOfUpstream,
  type RegistryConfig,
} from '../../format/registry/registry-config.ts';
import type { ClientPackage } from '../client-package/read-client-package.ts';
import type { LogInfo } from '../log/record-log.ts';
import { headersFile } from '../site/headers.ts';
import type { State } from '../state/state.ts';
import type { AddFile } from './emit.ts';

/** How many files these are with the list of advisories, without those of the client. */
export const FIXED_DOCUMENTS: number = SCHEMA_NAMES.length + 3;

/** The client has two names. */
export const CLIENT_FILES = 2;

/** What the documents show. */
interface Shown {
  readonly config: RegistryConfig;
  readonly commit: string;
  readonly client: ClientPackage | undefined;
  readonly log: LogInfo;
}

/** Stages them; returns the text of `registry.json`. */
export function writeFixedDocuments(
  state: State,
  { config, commit, client, log }: Shown,
  add: AddFile,
): string {
  const { builds, versions } = state.counts();
  const takenDown = state.withdrawals.takenDown().size;
  for (const name of SCHEMA_NAMES) add(schemaPath(name), canonicalJson(jsonSchema(name)));
  add(HEADERS_PATH, headersFile());
  if (client !== undefined) {
    for (const path of [CLIENT_PATH, clientPath(client.version)]) add(path, client.bytes);
  }
  const origin = originOfRegistry(config);
  const upstreams = config.upstreams.map((upstream) => {
    return { origin: originOfUpstream(upstream), address: upstream.address.replace(/\/+$/, '') };
  });
  const registry = canonicalJson({
    name: config.name,
    interface: INTERFACE_VERSION,
    base_url: config.base_url,
    source_commit: commit,
    builds,
    versions,
    ...(takenDown === 0 ? {} : { taken_down: takenDown }),
    ...(config.repository === undefined ? {} : { repository: config.repository }),
    ...(origin === undefined ? {} : { origin }),
    ...(upstreams.length === 0 ? {} : { upstreams }),
    ...(config.auth === undefined ? {} : { auth: config.auth }),
    ...(config.min_age_hours === undefined ? {} : { min_age_hours: config.min_age_hours }),
    ...(client === undefined ? {} : { client: describeClient(client) }),
    log,
  });
  add(REGISTRY_PATH, registry);
  return registry;
}

function describeClient({ version, integrity }: ClientPackage): object {
  return { version, path: clientPath(version), integrity };
}
