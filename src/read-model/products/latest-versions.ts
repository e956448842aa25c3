const GROUP_BITS = 6;
const GROUP = 2 ** GROUP_BITS;

/** The latest change version of each group of neighbouring chunks, so that a search skips the others. */
export class LatestVersions {
  private readonly byGroup = new Map<number, number>();

  note(chunkNumber: number, changeVersion: number): void {
    const group = chunkNumber >> GROUP_BITS;
    this.byGroup.set(group, Math.max(this.byGroup.get(group) ?? 0, changeVersion));
  }

  /** Adds the numbers of all chunks that may have a change since a version. */
  addSince(changeVersion: number, chunkNumbers: Set<number>): void {
    for (const [group, latest] of this.byGroup) {
      if (latest < changeVersion) continue;
      for (let at = 0; at < GROUP; at++) chunkNumbers.add(group * GROUP + at);
    }
  }
}
