import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditListRepository } from './audit-list.repository.js';
import { AuditLog } from './audit-log.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  providers: [AuditListRepository, AuditLog],
  exports: [AuditListRepository, AuditLog],
})
export class AuditModule {}
