import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Pixels } from './rules/shrink.js';
import type { PictureHeader, PictureType } from './rules/picture-header.js';

/** A decoder or an encoder. It is loaded once in a thread, when it is needed. */
export const loadCodec = (name: string) =>
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

const DECODERS: Record<PictureType, () => Promise<(bytes: ArrayBuffer) => Promise<Pixels>>> = {
  jpg: async () => {
    await initJpeg(loadCodec('jpeg/codec/dec/mozjpeg_dec'));
    // Phones store the rotation beside the picture.
    return (bytes) => decodeJpeg(bytes, { preserveOrientation: true });
  },
  png: async () => {
    await initPng(loadCodec('png/codec/pkg/squoosh_png_bg'));
    return decodePng;
  },
  webp: async () => {
    await initWebp(loadCodec('webp/codec/dec/webp_dec'));
    return decodeWebp;
  },
};

const loaded = new Map<PictureType, ReturnType<(typeof DECODERS)[PictureType]>>();

export interface PictureToDraw {
  bytes: Uint8Array<ArrayBuffer>;
  header: PictureHeader;
}

/** Refuses a damaged file. */
export async function decodePicture({ bytes, header: { type } }: PictureToDraw): Promise<Pixels> {
  const decoder = loaded.get(type) ?? DECODERS[type]();
  loaded.set(type, decoder);
  return (await decoder)(bytes.buffer).catch((cause: unknown) => {
    throw new DomainError('unreadable_file', 'The picture is damaged and cannot be read.', { cause });
  });
}
