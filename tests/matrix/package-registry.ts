/** A registry of npm packages on this machine, for tests that install real packages without a network. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packTarball } from '../../format/archive/tarball.ts';

/** Version to the text of `index.js`, an ECMAScript module. */
export type PackageVersions = Readonly<Record<string, string>>;

export interface PackageRegistry {
  readonly url: string;
  readonly close: () => void;
}

/** Serves packages, by name. */
export async function servePackages(
  packages: Readonly<Record<string, PackageVersions>>,
): Promise<PackageRegistry> {
  const files = new Map<string, Uint8Array>();
  const server = createServer((request, response) => {
    const bytes = files.get(request.url ?? '');
    response.statusCode = bytes === undefined ? 404 : 200;
    response.end(bytes ?? JSON.stringify({ error: 'not_found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [name, versions] of Object.entries(packages)) {
    const entries = Object.entries(versions).map(([version, code]) => {
      const manifest = { name, version, type: 'module', exports: './index.js' };
      const bytes = pack({ 'package.json': JSON.stringify(manifest), 'index.js': code });
      const path = `/${name}/-/${name}-${version}.tgz`;
      files.set(path, bytes);
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      return [version, { ...manifest, dist: { tarball: `${url}${path}`, integrity } }] as const;
    });
    const latest = entries.at(-1)?.[0];
    const document = { name, 'dist-tags': { latest }, versions: Object.fromEntries(entries) };
    files.set(`/${name}`, new TextEncoder().encode(JSON.stringify(document)));
  }
  return {
    url,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function pack(files: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(files).map(([path, text]) => {
    return { path, bytes: new TextEncoder().encode(text), executable: false };
  });
  return packTarball(entries);
}
