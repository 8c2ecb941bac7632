import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineOf } from '../../text/native-platform.ts';

function header(write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(256);
  write(bytes);
  return bytes;
}

describe('machineOf()', () => {
  it.each([
    ['elf', header((b) => b.writeUInt16LE(62, 18)), 'linux', 'x64'],
    ['elf', header((b) => b.writeUInt16LE(183, 18)), 'android', 'arm64'],
    ['elf', header((b) => (b.writeUInt8(2, 5), b.writeUInt16BE(22, 18))), 'linux', 's390x'],
    [
      'macho',
      header((b) => (b.writeUInt8(0xcf, 0), b.writeUInt32LE(0x0100000c, 4))),
      'darwin',
      'arm64',
    ],
    ['macho', header((b) => b.writeUInt32BE(0x01000007, 4)), 'darwin', 'x64'],
    [
      'pe',
      header((b) => (b.writeUInt32LE(128, 0x3c), b.writeUInt16LE(0x8664, 132))),
      'win32',
      'x64',
    ],
  ] as const)('%s: %s', (type, bytes, os, cpu) => {
    const machine = machineOf(type, bytes);
    expect(machine?.cpu).toBe(cpu);
    expect(machine?.os).toContain(os);
  });

  it.each([
    ['elf', header((b) => b.writeUInt16LE(9999, 18))],
    ['pe', header((b) => b.writeUInt32LE(0xffffffff, 0x3c))],
    ['wasm', Buffer.alloc(256)],
    ['elf', Buffer.alloc(63)],
  ] as const)('%s: nothing that is known', (type, bytes) => {
    expect(machineOf(type, bytes)).toBeUndefined();
  });

  it('does not read beyond the bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('elf', 'macho', 'pe'),
        fc.uint8Array({ maxLength: 200 }),
        (type, bytes) => {
          expect(() => machineOf(type, bytes)).not.toThrow();
        },
      ),
    );
  });
});
