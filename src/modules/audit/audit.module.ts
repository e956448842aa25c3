import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditListRepository } from './audit-list.repository.js';
import { AuditLog } from './audit-log.js';
import { Proposal } from './proposal.entity.js';
import { ProposalsService } from './proposals.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry, Proposal])],
  providers: [AuditListRepository, AuditLog, ProposalsService],
  exports: [AuditListRepository, AuditLog, ProposalsService],
})
export class AuditModule {}
