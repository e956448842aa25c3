import { Injectable } from '@nestjs/common';
import { Histogram } from 'prom-client';

/** Upper bounds in seconds. Most answers come from memory; the slowest wait for a database that is away. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Without a registry: it is registered only if the metrics are served. */
@Injectable()
export class RequestDurations extends Histogram<'method' | 'route' | 'status'> {
  constructor() {
    super({
      name: 'http_request_duration_seconds',
      help: 'From the head of the request to the end of the answer, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [],
    });
  }
}
