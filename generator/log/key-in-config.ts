/** The key of the log that a revision of `registry.config.json` names. */
import { RegistryConfig } from '../../format/registry/registry-config.ts';

/** `undefined` where the file names none or cannot be read: then nothing changes. */
export function keyInConfig(bytes: Uint8Array): string | undefined {
  try {
    const config = RegistryConfig.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return config.data?.log.key;
  } catch {
    return undefined;
  }
}
