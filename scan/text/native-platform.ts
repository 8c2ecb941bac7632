/** The platform that a native binary is for, from its header, in npm's words for `os` and `cpu`. */
import type { ContentType } from './content-type.ts';

const ELF_CPU: Readonly<Record<number, string>> = {
  3: 'ia32',
  8: 'mips',
  20: 'ppc',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  258: 'loong64',
};
const ELF_SYSTEMS = ['linux', 'android', 'freebsd', 'netbsd', 'openbsd', 'sunos', 'openharmony'];
const PE_CPU: Readonly<Record<number, string>> = {
  0x14c: 'ia32',
  0x8664: 'x64',
  0xaa64: 'arm64',
  0x1c4: 'arm',
};
const MACHO_CPU: Readonly<Record<number, string>> = {
  7: 'ia32',
  0x01000007: 'x64',
  0x0100000c: 'arm64',
};

interface Machine {
  /** Most ELF headers do not name the system. */
  readonly os: readonly string[];
  readonly cpu: string;
}

/** `undefined` when the header names no known platform. */
export function machineOf(type: ContentType, bytes: Uint8Array): Machine | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 64) return undefined;
  if (type === 'elf') {
    const machine = view[5] === 2 ? view.readUInt16BE(18) : view.readUInt16LE(18);
    return known(ELF_SYSTEMS, ELF_CPU[machine]);
  }
  if (type === 'macho')
    return known(
      ['darwin'],
      MACHO_CPU[view[0] === 0xcf || view[0] === 0xce ? view.readUInt32LE(4) : view.readUInt32BE(4)],
    );
  if (type !== 'pe') return undefined;
  const at = view.readUInt32LE(0x3c);
  return at + 6 > view.length ? undefined : known(['win32'], PE_CPU[view.readUInt16LE(at + 4)]);
}

function known(os: readonly string[], cpu: string | undefined): Machine | undefined {
  return cpu === undefined ? undefined : { os, cpu };
}
