const LOW_SEED = 0x9e3779b9;
const HIGH_SEED = 0x7f4a7c15;

/**
 * A hash of a set of rows, independent of their order and updated row by row: the sum of the rows' hashes in
 * two halves of 32 bits.
 */
export class Fingerprint {
  private low = 0;
  private high = 0;

  addRow(relation: number, id: number, changeVersion: number): void {
    this.low = (this.low + mix(LOW_SEED, relation, id, changeVersion)) | 0;
    this.high = (this.high + mix(HIGH_SEED, relation, id, changeVersion)) | 0;
  }

  add(other: Fingerprint): void {
    this.low = (this.low + other.low) | 0;
    this.high = (this.high + other.high) | 0;
  }

  subtract(other: Fingerprint): void {
    this.low = (this.low - other.low) | 0;
    this.high = (this.high - other.high) | 0;
  }

  clear(): void {
    this.low = 0;
    this.high = 0;
  }

  toString(): string {
    return `${(this.high >>> 0).toString(36)}.${(this.low >>> 0).toString(36)}`;
  }
}

function mix(seed: number, relation: number, id: number, changeVersion: number): number {
  let hash = scramble(seed ^ relation);
  hash = scramble(hash ^ id);
  hash = scramble(hash ^ (changeVersion | 0));
  return scramble(hash ^ Math.floor(changeVersion / 0x1_0000_0000));
}

/** MurmurHash3's finaliser: each input bit changes each output bit with probability one half. */
function scramble(value: number): number {
  let hash = (value + 0x6d2b79f5) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
