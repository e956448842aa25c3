import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import encodeWebp, { init as initEncoder } from '@jsquash/webp/encode.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Task } from '../../platform/worker-threads/thread.js';
import { type Pixels, shrink } from './rules/shrink.js';
import type { PictureHeader, PictureType } from './rules/picture-header.js';

const MAX_SIDE = 320;
const QUALITY = 75;

const load = (name: string) =>
  new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(`@jsquash/${name}.wasm`)));

/** The decoders make their results of this class of browsers. */
Object.assign(globalThis, {
  ImageData: class implements Pixels {
    constructor(
      readonly data: Uint8ClampedArray,
      readonly width: number,
      readonly height: number,
    ) {}
  },
});

/** Each decoder is loaded once in a thread, when it is needed. */
const DECODERS: Record<PictureType, () => Promise<(bytes: ArrayBuffer) => Promise<Pixels>>> = {
  jpg: async () => {
    await initJpeg(load('jpeg/codec/dec/mozjpeg_dec'));
    // Phones store the rotation beside the picture.
    return (bytes) => decodeJpeg(bytes, { preserveOrientation: true });
  },
  png: async () => {
    await initPng(load('png/codec/pkg/squoosh_png_bg'));
    return decodePng;
  },
  webp: async () => {
    await initWebp(load('webp/codec/dec/webp_dec'));
    return decodeWebp;
  },
};

const loaded = new Map<PictureType, ReturnType<(typeof DECODERS)[PictureType]>>();
let encoder: Promise<unknown> | undefined;

export interface PictureToDraw {
  bytes: Uint8Array<ArrayBuffer>;
  header: PictureHeader;
}

/** Decodes a picture, so a damaged file is refused, and yields its thumbnail. */
const drawThumbnail: Task<PictureToDraw> = async function* ({ bytes, header: { type } }) {
  const decoder = loaded.get(type) ?? DECODERS[type]();
  loaded.set(type, decoder);
  encoder ??= initEncoder(load('webp/codec/enc/webp_enc_simd'));
  const [decode] = await Promise.all([decoder, encoder]);
  const pixels = await decode(bytes.buffer).catch((cause: unknown) => {
    throw new DomainError('unreadable_file', 'The picture is damaged and cannot be read.', { cause });
  });
  yield new Uint8Array(await encodeWebp(shrink(pixels, MAX_SIDE) as ImageData, { quality: QUALITY }));
};

export default drawThumbnail;
