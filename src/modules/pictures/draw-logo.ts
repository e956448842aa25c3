import encodeJpeg, { init as initEncoder } from '@jsquash/jpeg/encode.js';
import type { Task } from '../../platform/worker-threads/thread.js';
import { decodePicture, loadCodec, type PictureToDraw } from './decode-picture.js';
import { MAX_LOGO_SIDE, onWhite } from './rules/on-white.js';
import { shrink } from './rules/shrink.js';

const QUALITY = 90;

let encoder: Promise<unknown> | undefined;

/** Yields a small JPEG: a PDF takes no WebP, and the alpha channel of a PNG makes its bytes differ. */
const drawLogo: Task<PictureToDraw> = async function* (picture) {
  encoder ??= initEncoder(loadCodec('jpeg/codec/enc/mozjpeg_enc'));
  const [pixels] = await Promise.all([decodePicture(picture), encoder]);
  const small = onWhite(shrink(pixels, MAX_LOGO_SIDE));
  yield new Uint8Array(await encodeJpeg(small as ImageData, { quality: QUALITY }));
};

export default drawLogo;
