import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipSync, zipSync } from 'fflate';
import { contentGroup, contentType } from './content-type.ts';

function hex(text: string, length = 0): Uint8Array {
  const bytes = Buffer.from(text.replaceAll(' ', ''), 'hex');
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length))]);
}

function at(offset: number, text: string): Uint8Array {
  return Buffer.concat([Buffer.alloc(offset), Buffer.from(text, 'latin1'), Buffer.alloc(600)]);
}

function portableExecutable(): Buffer {
  const bytes = Buffer.alloc(300);
  bytes.write('MZ');
  bytes.writeUInt32LE(128, 0x3c);
  bytes.write('PE', 128);
  return bytes;
}

describe('contentType()', () => {
  it.each([
    ['elf', hex('7f454c46 0201')],
    ['pe', portableExecutable()],
    ['macho', hex('cffaedfe')],
    ['macho', hex('cafebabe 00000002')],
    ['class', hex('cafebabe 00000041')],
    ['wasm', hex('0061736d 01000000')],
    ['pyc', hex('cb0d0d0a 00000000', 32)],
    ['zip', zipSync({ a: new Uint8Array(1) })],
    ['gzip', gzipSync(new Uint8Array(1))],
    ['7z', hex('377abcaf271c')],
    ['tar', at(257, 'ustar')],
    ['iso', at(0x8001, 'CD001')],
    ['lnk', hex('4c0000000114020000000000c000000000000046')],
    ['png', hex('89504e470d0a1a0a')],
    ['jpeg', hex('ffd8ffe0')],
    ['webp', Buffer.from('RIFF\0\0\0\0WEBP')],
    ['audio', Buffer.from('RIFF\0\0\0\0WAVE')],
    ['video', at(4, 'ftypmp42')],
    ['pdf', Buffer.from('%PDF-1.7')],
    ['script', Buffer.from('#!/bin/sh\n')],
    ['script', Buffer.from('\ufeff#!/bin/sh\n')],
    ['script', Buffer.from('<?php x')],
    ['script', Buffer.from('@echo off\r\n')],
    ['html', Buffer.from('  <!DOCTYPE html>')],
    ['html', Buffer.from('<script>x</script>')],
    ['unknown', Buffer.from('const a = 1;')],
    ['unknown', Buffer.from('MZ is how this sentence begins')],
    ['unknown', Buffer.from('<?xml version="1.0"?>')],
    ['unknown', Buffer.from('BM')],
    ['unknown', new Uint8Array()],
  ])('%s', (type, bytes) => {
    expect(contentType(bytes)).toBe(type);
  });

  it('reads a view of a larger buffer', () => {
    const all = Buffer.concat([Buffer.from('xx'), Buffer.from('%PDF-')]);
    expect(contentType(all.subarray(2))).toBe('pdf');
  });

  it('never throws, for any bytes, cut anywhere', () => {
    const head = fc.constantFrom(
      ...['4d5a', 'cafebabe', '424d', '52494646', '00000d0a'].map((h) => hex(h)),
    );
    fc.assert(
      fc.property(head, fc.uint8Array({ maxLength: 100 }), (start, rest) => {
        expect(typeof contentType(Buffer.concat([start, rest]))).toBe('string');
      }),
    );
  });
});

describe('contentGroup()', () => {
  it.each([
    ['elf', 'binary'],
    ['lnk', 'binary'],
    ['zip', 'archive'],
    ['png', 'media'],
    ['script', 'script'],
    ['html', 'script'],
    ['unknown', 'other'],
  ] as const)('%s: %s', (type, group) => {
    expect(contentGroup(type)).toBe(group);
  });
});
