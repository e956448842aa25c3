/** Hundreds of bodies of the largest kind, and no more memory than any node has to spare. */
const MOST_BYTES = 16 * 1_024 * 1_024;

/** Of one network: a flood from one cuts off only its own. */
const MOST_OF_NETWORK = MOST_BYTES / 4;

/** A piece takes this much besides its bytes, even a piece of one byte. */
const PIECE_BYTES = 512;

interface Network {
  bytes: number;
  bodies: Set<UnfinishedBody>;
}

/**
 * The bodies that strangers have begun to send and not finished. Each is small, but a stranger can begin any number of them.
 * Where there is no room for the next piece, the oldest unfinished body is cut off, not the newest: an honest body is complete
 * within moments, so a flood of unfinished ones blocks neither forms nor the gateway's events.
 */
export class UnfinishedBodies {
  private bytes = 0;
  private readonly all = new Set<UnfinishedBody>();
  private readonly networks = new Map<string, Network>();

  begin(network: string, cut: () => void): UnfinishedBody {
    let share = this.networks.get(network);
    if (!share) this.networks.set(network, (share = { bytes: 0, bodies: new Set() }));
    const body = new UnfinishedBody(network, cut);
    share.bodies.add(body);
    this.all.add(body);
    return body;
  }

  /** May cut off this very body, if it is the oldest. */
  grow(body: UnfinishedBody, piece: Buffer): void {
    const share = this.networks.get(body.network)!;
    this.count(body, share, piece.length + PIECE_BYTES);
    while (share.bytes > MOST_OF_NETWORK) this.cutOldest(share.bodies);
    while (this.bytes > MOST_BYTES) this.cutOldest(this.all);
  }

  /** Complete, or broken off. */
  end(body: UnfinishedBody): void {
    const share = this.networks.get(body.network);
    if (!share?.bodies.delete(body)) return;
    this.count(body, share, -body.bytes);
    this.all.delete(body);
    if (share.bodies.size === 0) this.networks.delete(body.network);
  }

  private count(body: UnfinishedBody, share: Network, bytes: number): void {
    body.bytes += bytes;
    share.bytes += bytes;
    this.bytes += bytes;
  }

  private cutOldest([oldest]: Set<UnfinishedBody>): void {
    this.end(oldest!);
    oldest!.cut();
  }
}

export class UnfinishedBody {
  bytes = 0;

  constructor(
    readonly network: string,
    readonly cut: () => void,
  ) {}
}
