/** The version of this client: that of its package, stated nowhere else. */
import manifest from './package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
