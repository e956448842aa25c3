export type Encoding = 'identity' | 'gzip';

/** The bytes of one encoding, with their tag. What is kept in pieces is sent in pieces: joining them would copy them all. */
export interface Encoded {
  etag: string;
  bytes: string | Buffer | readonly Buffer[];
}

/**
 * An answer of which a client may keep a copy and ask whether it is still good. The tag is known before there is any body, so
 * that "still good" costs none.
 */
export abstract class Representation {
  /** Says whether the answer exists in more than one encoding. */
  abstract readonly compressible: boolean;

  abstract etag(encoding: Encoding): string;

  abstract encode(encoding: Encoding): Encoded | Promise<Encoded>;
}
