import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StoreRequestCount, StoreRequest } from './entities/store-request.entity.js';
import { RequestFigures } from './kept-requests/request-figures.repository.js';
import { RequestHistory } from './kept-requests/request-history.repository.js';
import { StoreIssues } from './kept-requests/store-issues.repository.js';
import { RequestLogRetention } from './recording/request-log-retention.js';
import { RequestLog } from './recording/request-log.js';
import { RequestLogRepository } from './recording/request-log.repository.js';

const PROVIDERS = [
  RequestFigures,
  RequestHistory,
  RequestLog,
  RequestLogRepository,
  RequestLogRetention,
  StoreIssues,
];

@Module({
  imports: [TypeOrmModule.forFeature([StoreRequest, StoreRequestCount])],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class RequestLogModule {}
