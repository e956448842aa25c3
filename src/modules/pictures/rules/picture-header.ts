export type PictureType = 'jpg' | 'png' | 'webp';

export interface PictureHeader {
  type: PictureType;
  width: number;
  height: number;
}

/** The type and size of a picture by its first bytes. Undefined for any other file, such as an SVG. */
export function readPictureHeader(bytes: Buffer): PictureHeader | undefined {
  try {
    if (bytes.subarray(0, 8).equals(PNG) && bytes.toString('latin1', 12, 16) === 'IHDR')
      return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (bytes.readUIntBE(0, 3) === JPEG) return readJpeg(bytes);
    const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
    return isWebp ? readWebp(bytes) : undefined;
  } catch {
    // The header is cut off.
    return undefined;
  }
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const JPEG = 0xffd8ff;

/** Start-of-frame markers. C4, C8 and CC among them have other meanings. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(bytes: Buffer): PictureHeader | undefined {
  for (let at = 2; bytes.readUInt8(at) === 0xff;) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker))
      return { type: 'jpg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // Markers may be filled up with FF bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebp(bytes: Buffer): PictureHeader | undefined {
  const type = 'webp';
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
