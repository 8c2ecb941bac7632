/** The type of a file by its first bytes, regardless of its name. */

const GROUPS = {
  binary: ['elf', 'pe', 'macho', 'wasm', 'class', 'pyc', 'dex', 'lnk'],
  archive: ['zip', 'gzip', 'bzip2', 'xz', 'zstd', '7z', 'rar', 'tar', 'cab', 'ar', 'iso', 'dmg'],
  media: ['png', 'jpeg', 'gif', 'webp', 'bmp', 'ico', 'tiff', 'pdf', 'font', 'audio', 'video'],
  script: ['script', 'html'],
  other: ['unknown'],
} as const;

type ContentGroup = keyof typeof GROUPS;

export type ContentType = (typeof GROUPS)[ContentGroup][number];

/** How files begin, in hex. */
const BEGINNINGS = {
  elf: '7f454c46',
  macho: 'feedface feedfacf cefaedfe cffaedfe',
  wasm: '0061736d',
  dex: '6465780a30',
  zip: '504b0304 504b0506 504b0708',
  gzip: '1f8b08',
  bzip2: '425a68',
  xz: 'fd377a585a00',
  zstd: '28b52ffd',
  '7z': '377abcaf271c',
  rar: '526172211a07',
  cab: '4d534346',
  ar: '213c617263683e0a',
  lnk: '4c0000000114020000000000c000000000000046',
  png: '89504e470d0a1a0a',
  jpeg: 'ffd8ff',
  gif: '474946383761 474946383961',
  tiff: '49492a00 4d4d002a',
  ico: '00000100',
  pdf: '255044462d',
  font: '774f4646 774f4632 4f54544f 0001000000 74727565',
  audio: '494433 4f676753 664c6143',
  video: '1a45dfa3',
} as const satisfies Partial<Record<ContentType, string>>;
const MAGIC_BY_BYTE = Map.groupBy(
  (Object.keys(BEGINNINGS) as (keyof typeof BEGINNINGS)[]).flatMap((type) =>
    BEGINNINGS[type].split(' ').map((magic) => [magic, type] as const),
  ),
  ([magic]) => magic.slice(0, 2),
);
const GROUP_OF: ReadonlyMap<ContentType, ContentGroup> = new Map(
  (Object.keys(GROUPS) as ContentGroup[]).flatMap((group) =>
    GROUPS[group].map((type) => [type, group] as const),
  ),
);

/** The type of the content that begins with `bytes`. */
export function contentType(bytes: Uint8Array): ContentType {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.toString('hex', 0, 24);
  if (start.startsWith('cafebabe'))
    return view.length >= 8 && view.readUInt32BE(4) < 40 ? 'macho' : 'class';
  if (start.startsWith('4d5a') && isPortableExecutable(view)) return 'pe';
  const known = MAGIC_BY_BYTE.get(start.slice(0, 2))?.find(([magic]) => start.startsWith(magic));
  if (known !== undefined) return known[1];
  if (start.startsWith('52494646'))
    return view.toString('latin1', 8, 12) === 'WEBP' ? 'webp' : 'audio';
  if (start.startsWith('424d') && view.length > 30 && view.readUInt32LE(2) === view.length)
    return 'bmp';
  if (view.toString('latin1', 257, 262) === 'ustar') return 'tar';
  if (view.toString('latin1', 4, 8) === 'ftyp') return 'video';
  if (view.toString('latin1', 0x8001, 0x8006) === 'CD001') return 'iso';
  // CPython: two bytes of version, CR LF, then flags of a few bits.
  if (
    start.slice(4, 8) === '0d0a' &&
    view.length > 16 &&
    view[1]! >= 0x0a &&
    view[1]! <= 0x0f &&
    view.readUInt32LE(4) < 8
  )
    return 'pyc';
  return textType(view);
}

export function contentGroup(type: ContentType): ContentGroup {
  return GROUP_OF.get(type) ?? 'other';
}

function isPortableExecutable(view: Buffer): boolean {
  if (view.length < 64) return false;
  const at = view.readUInt32LE(0x3c);
  return at > view.length - 4
    ? view.length > 256 && view.includes(0)
    : view.toString('latin1', at, at + 2) === 'PE' || view.includes('This program cannot be run');
}

function textType(view: Buffer): ContentType {
  const start = view
    .toString('latin1', 0, 512)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (
    start.startsWith('#!') ||
    /^<\?php\b/.test(start) ||
    /^(?:@echo off\b|set-executionpolicy\b)/i.test(start)
  )
    return 'script';
  return /^<(?:!doctype html|html|script|head|body)\b/i.test(start) ? 'html' : 'unknown';
}
