import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StoreRequestCount } from './entities/store-request-count.entity.js';
import { StoreRequest } from './entities/store-request.entity.js';
import { RequestFigures } from './history/request-figures.js';
import { RequestHistory } from './history/request-history.js';
import { RequestLog } from './recording/request-log.js';
import { RequestLogRepository } from './recording/request-log.repository.js';
import { RequestLogRetention } from './recording/request-log-retention.js';
import { RequestLogWriter } from './recording/request-log-writer.js';

/** What the stores' requests did: kept for those whose stores they are. */
@Module({
  imports: [TypeOrmModule.forFeature([StoreRequest, StoreRequestCount])],
  providers: [
    RequestFigures,
    RequestHistory,
    RequestLog,
    RequestLogRepository,
    RequestLogRetention,
    RequestLogWriter,
  ],
  exports: [
    RequestFigures,
    RequestHistory,
    RequestLog,
    RequestLogRepository,
    RequestLogRetention,
    RequestLogWriter,
  ],
})
export class StoreRequestsModule {}
