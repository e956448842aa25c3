import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { SnapshotConnection } from './snapshot-connection.js';
import { SnapshotService } from './snapshot.service.js';
import { SnapshotSource } from './snapshot-source.js';

@Global()
@Module({
  providers: [
    {
      provide: SnapshotService,
      inject: [DataSource, SETTINGS],
      useFactory: ({ options }: DataSource, settings: Settings) =>
        new SnapshotService(
          new SnapshotSource(new SnapshotConnection((options as { url: string }).url)),
          settings,
        ),
    },
  ],
  exports: [SnapshotService],
})
export class SnapshotModule {}
