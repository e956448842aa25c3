/** Upper bounds in seconds. Most answers come from memory; the slowest wait for a database that is away. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  labels: { method: string; route: string; status: number };
  /** Requests up to the bound at the same index; the last entry counts the longer ones. */
  counts: number[];
  seconds: number;
}

interface Sample {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

/**
 * The histogram of all requests by method, route and status. prom-client's own hashes the labels of each
 * observation, which takes 5 % of a stock check. This one needs three look-ups.
 */
export class RequestDurations {
  readonly name = 'http_request_duration_seconds';
  readonly help = 'From the head of the request to the end of the answer, by method, route and status.';
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  private readonly series = new Map<string, Map<string, (Series | undefined)[]>>();

  observe(method: string, route: string, status: number, milliseconds: number): void {
    const series = this.series.get(route)?.get(method)?.[status] ?? this.begin(method, route, status);
    const seconds = milliseconds / 1_000;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    series.counts[bucket]!++;
    series.seconds += seconds;
  }

  /** Called by the registry at each scrape. */
  get() {
    const all = [...this.series.values()].flatMap((byMethod) => [...byMethod.values()].flat());
    const values = all.flatMap((series) => (series ? this.samples(series) : []));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }

  reset(): void {
    this.series.clear();
  }

  private begin(method: string, route: string, status: number): Series {
    const byMethod = this.series.get(route) ?? new Map<string, (Series | undefined)[]>();
    this.series.set(route, byMethod);
    const byStatus = byMethod.get(method) ?? [];
    byMethod.set(method, byStatus);
    const counts = Array.from({ length: BUCKETS.length + 1 }, () => 0);
    return (byStatus[status] = { labels: { method, route, status }, counts, seconds: 0 });
  }

  private samples({ labels, counts, seconds }: Series): Sample[] {
    let total = 0;
    const buckets = counts.map((count, index) => ({
      metricName: `${this.name}_bucket`,
      labels: { ...labels, le: BUCKETS[index] ?? '+Inf' },
      value: (total += count),
    }));
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: seconds },
      { metricName: `${this.name}_count`, labels, value: total },
    ];
  }
}
