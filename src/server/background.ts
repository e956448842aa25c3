import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { JobFailures } from '../modules/notices/job-failures.repository.js';
import { BackgroundJob } from '../platform/jobs/background-job.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';

/** All background work of a node. The command line uses the same modules and starts none of it. */
@Injectable()
export class Background implements OnApplicationBootstrap {
  constructor(
    private readonly snapshot: SnapshotService,
    private readonly discovery: DiscoveryService,
    private readonly failures: JobFailures,
  ) {}

  jobs(): BackgroundJob[] {
    const found = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    return [...new Set(found)].filter((instance) => instance instanceof BackgroundJob);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.snapshot.start();
    for (const job of this.jobs()) {
      // Without the database it cannot be stored. Then the log alone has it.
      job.onFailure = (name) => this.failures.record(name).catch(() => undefined);
      job.start();
    }
  }
}
