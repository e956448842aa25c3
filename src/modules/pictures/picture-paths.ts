import type { PictureType } from './rules/picture-header.js';

export const PICTURES_PATH = '/pictures';

const OWN_PICTURE = /^\/pictures\/([0-9a-f]{64})\.(?:jpg|png|webp)$/;

/** The name of a picture follows from its bytes, so a browser may keep it for ever. */
export const picturePath = (hash: string, type: PictureType) => `${PICTURES_PATH}/${hash}.${type}`;

/** A logo is a JPEG. */
export const logoPath = (hash: string) => picturePath(hash, 'jpg');

export const isOwnPicture = (address: string) => OWN_PICTURE.test(address);

/** The address of a small form of the picture. Foreign pictures have none. */
export function thumbnailPath(address: string): string {
  const [, hash] = OWN_PICTURE.exec(address) ?? [];
  return hash === undefined ? address : `${PICTURES_PATH}/small/${hash}.webp`;
}

/** The type of the picture with this name below `PICTURES_PATH`; undefined for other names. */
export function pictureType(name: string): PictureType | undefined {
  return /^(?:small\/[0-9a-f]{64}(?=\.webp$)|[0-9a-f]{64})\.(jpg|png|webp)$/.exec(name)?.[1] as
    PictureType | undefined;
}

/** Stores get whole addresses. The database has paths, because the address of the service may change. */
export const absolutePictures = (addresses: readonly string[], origin: string) =>
  addresses.map((address) => (isOwnPicture(address) ? origin + address : address));
