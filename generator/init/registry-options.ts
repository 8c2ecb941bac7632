/** What `stackyard-registry init` needs to know, from options or questions; each value is checked. */
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { RegistryConfig } from '../../format/registry/registry-config.ts';
import { usageError } from '../errors.ts';

const usage = usageError('stackyard-registry init --help');

export interface RegistryOptions {
  readonly config: RegistryConfigInput;
  /** Of the workflows that the registry calls: `<owner>/<repository>` and a commit; `undefined`: no workflows. */
  readonly software: { readonly repository: string; readonly commit: string } | undefined;
}

/** The fields that a new registry sets. */
interface RegistryConfigInput {
  readonly name: string;
  readonly base_url: string;
  readonly origin?: string;
  readonly repository?: string;
  readonly admins: readonly { readonly login: string; readonly account_id: number }[];
  readonly upstreams?: readonly { readonly address: string }[];
}

/** The words of a user. */
export interface Given {
  readonly name?: string | undefined;
  readonly 'base-url'?: string | undefined;
  readonly origin?: string | undefined;
  readonly repository?: string | undefined;
  readonly admin?: readonly string[] | undefined;
  readonly upstream?: readonly string[] | undefined;
  readonly software?: string | undefined;
}

const ADMIN = /^([A-Za-z0-9-]{1,39}):([1-9]\d{0,14})$/;
const SOFTWARE = /^([A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100})@([0-9a-f]{40})$/;

/** @throws {GeneratorError} `ERR_USAGE` naming the option */
export function parseRegistryOptions(given: Given): RegistryOptions {
  const admins = (given.admin ?? []).map((text) => {
    const [, login, id] = ADMIN.exec(text) ?? [];
    if (login === undefined)
      throw usage(
        `Option --admin is ${JSON.stringify(text)}: it must be <login>:<account id>, such as alice:123`,
      );
    return { login, account_id: Number(id) };
  });
  if (admins.length === 0)
    throw usage('Option --admin is missing: a registry needs one, as <login>:<account id>');
  const { name = 'Registry', 'base-url': address = '', origin, repository, upstream } = given;
  const config: RegistryConfigInput = {
    name,
    base_url: address.replace(/\/+$/, ''),
    ...(origin === undefined ? {} : { origin }),
    ...(repository === undefined ? {} : { repository }),
    admins,
    ...(upstream === undefined ? {} : { upstreams: upstream.map((text) => ({ address: text })) }),
  };
  try {
    parseDocument(RegistryConfig, Buffer.from(canonicalJson(config)), 'the options');
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    throw usage(cause.message);
  }
  return { config, software: parseSoftware(given.software) };
}

function parseSoftware(text: string | undefined): RegistryOptions['software'] {
  if (text === undefined) return undefined;
  const [, repository, commit] = SOFTWARE.exec(text) ?? [];
  if (repository === undefined || commit === undefined) {
    throw usage(
      `Option --software is ${JSON.stringify(text)}: it must be <owner>/<repository>@<full id of a commit>`,
    );
  }
  return { repository, commit };
}
