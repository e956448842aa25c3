import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { requestConnectMs } from '../platform/database/data-source-options.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { DatabaseGeneration, PastGeneration, Tombstone } from './generation/database-generation.entity.js';
import { SkuSuggestions } from './products/sku-suggestions.js';
import { SnapshotConnection } from './snapshot/snapshot-connection.js';
import { SnapshotService } from './snapshot/snapshot.service.js';
import { SnapshotSource } from './snapshot/snapshot-source.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DatabaseGeneration, PastGeneration, Tombstone])],
  providers: [
    {
      provide: SnapshotService,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => {
        const connectMs = requestConnectMs(settings.databaseTimeoutMs);
        const connection = new SnapshotConnection(settings.databaseDirectUrl!, connectMs);
        return new SnapshotService(new SnapshotSource(connection), settings);
      },
    },
    SkuSuggestions,
  ],
  exports: [SkuSuggestions, SnapshotService],
})
export class ReadModelModule {}
