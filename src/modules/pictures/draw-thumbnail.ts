import encodeWebp, { init as initEncoder } from '@jsquash/webp/encode.js';
import type { Task } from '../../platform/worker-threads/thread.js';
import { decodePicture, loadCodec, type PictureToDraw } from './decode-picture.js';
import { shrink } from './rules/shrink.js';

const MAX_SIDE = 320;
const QUALITY = 75;

let encoder: Promise<unknown> | undefined;

/** Decodes a picture, so a damaged file is refused, and yields its thumbnail. */
const drawThumbnail: Task<PictureToDraw> = async function* (picture) {
  encoder ??= initEncoder(loadCodec('webp/codec/enc/webp_enc_simd'));
  const [pixels] = await Promise.all([decodePicture(picture), encoder]);
  yield new Uint8Array(await encodeWebp(shrink(pixels, MAX_SIDE) as ImageData, { quality: QUALITY }));
};

export default drawThumbnail;
