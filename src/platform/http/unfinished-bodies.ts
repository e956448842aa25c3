/** Enough for hundreds of the largest bodies, and little enough for any node. */
const MAX_BYTES = 16 * 1_024 * 1_024;

/** For one network, so that a flood cuts off only its own bodies. */
const MAX_NETWORK_BYTES = MAX_BYTES / 4;

/** The overhead of a piece, even of one byte. */
const PIECE_BYTES = 512;

interface Network {
  bytes: number;
  bodies: Set<UnfinishedBody>;
}

/**
 * Bodies that anonymous callers began to send and did not finish. Each is small, but their number has no
 * limit. When space is short, the oldest unfinished body is cut off: an honest body is complete within
 * moments, so a flood blocks neither forms nor gateway events.
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

  /** May cut off this same body, if it is the oldest. */
  grow(body: UnfinishedBody, piece: Buffer): void {
    const share = this.networks.get(body.network)!;
    this.count(body, share, piece.length + PIECE_BYTES);
    while (share.bytes > MAX_NETWORK_BYTES) this.cutOldest(share.bodies);
    while (this.bytes > MAX_BYTES) this.cutOldest(this.all);
  }

  /** The body is complete, or broken off. */
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
