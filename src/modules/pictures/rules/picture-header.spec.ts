import { JPEG, png, WEBP } from '../../../../test/support/picture-files.js';
import { readPictureHeader } from './picture-header.js';

const webp = (chunk: string, ...rest: number[]) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}`, 'latin1'), Buffer.from(rest)]);

describe('The header of a picture', () => {
  it.each([
    ['JPEG', JPEG, { type: 'jpg', width: 24, height: 16 }],
    [
      'JPEG with a filled-up marker',
      Buffer.from('ffd8ffe00002ffffffc2000b0800030005', 'hex'),
      { type: 'jpg', width: 5, height: 3 },
    ],
    [
      'JPEG with tables before the frame',
      Buffer.from('ffd8ffc40002ffc80002ffcc0002ffcf000b0800030005', 'hex'),
      { type: 'jpg', width: 5, height: 3 },
    ],
    ['PNG', png(3, 70_000), { type: 'png', width: 3, height: 70_000 }],
    ['WebP', WEBP, { type: 'webp', width: 24, height: 16 }],
    [
      'WebP without loss',
      webp('VP8L', 0, 0, 0, 0, 0x2f, 0xff, 0xff, 0xff, 0x0f),
      { type: 'webp', width: 16_384, height: 16_384 },
    ],
    ['lossless WebP', webp('VP8L', 0, 0, 0, 0, 0x2f, 1, 0x80, 0, 0), { type: 'webp', width: 2, height: 3 }],
    ['WebP', webp('VP8X', 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 1, 0), { type: 'webp', width: 2, height: 259 }],
  ])('of %s', (_, bytes, header) => expect(readPictureHeader(bytes)).toEqual(header));

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a JPEG that is cut off', JPEG.subarray(0, 60)],
    ['a JPEG without a frame', Buffer.from('ffd8ffe0000200ffc0000b0800030005', 'hex')],
    ['a PNG that is cut off', png(3).subarray(0, 20)],
    ['a PNG without a head', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0JUNK\0\0\0\x01\0\0\0\x01', 'latin1')],
    ['a sound', Buffer.from('RIFF\0\0\0\0WAVEVP8 0123456789abcdef')],
    ['a WebP with another part', webp('ICCP', ...Buffer.alloc(20))],
  ])('is missing in %s', (_, bytes) => expect(readPictureHeader(bytes)).toBeUndefined());
});
