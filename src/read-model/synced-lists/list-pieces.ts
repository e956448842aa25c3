import type { PlanView, PriceChunk } from '../products/plan-view.js';
import type { ProductChunk } from '../products/product-chunk.js';
import type { ProductView } from '../products/product-view.js';
import { type GzipPiece, gzipPiece, gzipPieceSync, joinPieces } from './gzip-pieces.js';

/** The format of a list of all products, for one plan or for all. */
export interface ListForm<Plan extends PlanView | undefined> {
  /** Part of the fingerprint: names everything besides the products that changes the bytes. */
  name: string;
  head(total: number): string;
  item(product: ProductView, plan: Plan): object;
  tail(syncToken: string): string;
  /** The end of a list of changes. */
  changesTail(removed: string[], syncToken: string): string;
}

interface Piece {
  /** What it was made of. */
  chunk: ProductChunk;
  prices: PriceChunk | undefined;
  repriced: number | undefined;
  bytes?: Buffer;
  packed?: GzipPiece;
}

/** Neighbouring chunks, joined. */
interface Group {
  pieces: readonly GzipPiece[];
  joined: GzipPiece;
}

const GROUP_BITS = 6;

/**
 * The chunks of one list as bytes, plain and compressed. A chunk is written again on the first request after
 * a change.
 */
export class ListPieces<Plan extends PlanView | undefined> {
  private readonly pieces = new Map<number, Piece>();
  private readonly groups = new Map<number, Group>();

  constructor(
    private readonly form: ListForm<Plan>,
    private readonly plan: Plan,
  ) {}

  bytes(chunk: ProductChunk): Buffer {
    const piece = this.pieceOf(chunk);
    piece.bytes ??= this.write(chunk.products);
    return piece.bytes;
  }

  isPacked(chunk: ProductChunk): boolean {
    return this.pieceOf(chunk).packed !== undefined;
  }

  packed(chunk: ProductChunk): GzipPiece {
    const piece = this.pieceOf(chunk);
    piece.packed ??= gzipPieceSync(piece.bytes ?? this.write(chunk.products));
    return piece.packed;
  }

  /** Compresses in the background. A chunk that changed meanwhile is left unpacked. */
  async pack(chunk: ProductChunk): Promise<void> {
    const piece = this.pieceOf(chunk);
    piece.packed = await gzipPiece(piece.bytes ?? this.write(chunk.products));
  }

  /** All chunks, compressed and joined, one group in a step. After a change only its group is joined. */
  *packedGroups(chunks: readonly ProductChunk[]): Generator<void, GzipPiece[]> {
    const groups = new Map<number, GzipPiece[]>();
    for (const chunk of chunks) {
      const group = groups.get(groupOf(chunk.number));
      if (group) group.push(this.packed(chunk));
      else groups.set(groupOf(chunk.number), [this.packed(chunk)]);
    }
    const joined: GzipPiece[] = [];
    for (const [number, pieces] of groups) {
      joined.push(this.joinGroup(number, pieces));
      yield;
    }
    return joined;
  }

  /** Drops the bytes of removed chunks. */
  keepOnly(chunks: readonly ProductChunk[]): void {
    if (this.pieces.size === chunks.length) return;
    const numbers = new Set(chunks.map(({ number }) => number));
    for (const number of this.pieces.keys()) {
      if (numbers.has(number)) continue;
      this.pieces.delete(number);
      this.groups.delete(groupOf(number));
    }
  }

  get size(): number {
    let size = 0;
    for (const { bytes, packed } of this.pieces.values())
      size += (bytes?.length ?? 0) + (packed?.deflated.length ?? 0);
    return size;
  }

  /** The products without the list's beginning and end. */
  write(products: readonly ProductView[]): Buffer {
    return Buffer.from(
      products.map((product) => JSON.stringify(this.form.item(product, this.plan))).join(','),
    );
  }

  /** Another object after each change of the chunk, or of the plan's prices in it. */
  pieceOf(chunk: ProductChunk): Piece {
    const [prices, repriced] = [this.plan?.pricesIn(chunk.number), this.plan?.repriced];
    const piece = this.pieces.get(chunk.number);
    if (piece?.chunk === chunk && piece.prices === prices && piece.repriced === repriced) return piece;
    const next: Piece = { chunk, prices, repriced };
    this.pieces.set(chunk.number, next);
    return next;
  }

  private joinGroup(number: number, pieces: readonly GzipPiece[]): GzipPiece {
    const known = this.groups.get(number);
    if (known?.pieces.length === pieces.length && pieces.every((piece, at) => piece === known.pieces[at]))
      return known.joined;
    const joined = joinPieces(withPackedCommas(pieces));
    this.groups.set(number, { pieces, joined });
    // Each piece becomes a view of the group, so that its bytes are in memory once.
    let at = 0;
    for (const piece of pieces) {
      piece.deflated = joined.deflated.subarray(at, at + piece.deflated.length);
      at += piece.deflated.length + PACKED_COMMA.deflated.length;
    }
    return joined;
  }
}

function groupOf(chunkNumber: number): number {
  return chunkNumber >> GROUP_BITS;
}

const COPIED_AT_ONCE = 2 ** 20;

/** Joins buffers in steps, because copying tens of megabytes at once delays other requests. */
export function* joinBytes(pieces: readonly Buffer[]): Generator<void, Buffer> {
  const whole = Buffer.allocUnsafe(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  let copied = 0;
  for (const piece of pieces) {
    at += piece.copy(whole, at);
    if (at - copied < COPIED_AT_ONCE) continue;
    copied = at;
    yield;
  }
  return whole;
}

const COMMA = Buffer.from(',');
const PACKED_COMMA = gzipPieceSync(COMMA);

/** Joins compressed pieces of a JSON list. */
export function withPackedCommas(pieces: readonly GzipPiece[]): GzipPiece[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [PACKED_COMMA, piece]));
}

/** Joins pieces of a JSON list. */
export function withCommas(pieces: readonly Buffer[]): Buffer[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece]));
}
