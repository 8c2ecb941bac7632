/** Builds the client in a process of its own: node build-client.ts <sources> <folder that keeps it> */
import { clientPackage } from './client-package.ts';

const [root, cache] = process.argv.slice(2);
await clientPackage(root, cache);
