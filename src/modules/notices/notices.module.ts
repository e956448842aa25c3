import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { MailModule } from '../../shared/mail/mail.module.js';
import { JobFailures } from './job-failures.repository.js';
import { JobFailure, NoticeChoice, NoticeLink, NoticeMark, StatementMail } from './notices.entity.js';
import { NoticeChoicesService } from './notice-choices.service.js';
import { NoticesJob } from './notices-job.service.js';
import { StatementMailsService } from './statement-mails.service.js';
import { NoticesRepository } from './notices.repository.js';
import { AdminMailController } from './admin/admin-mail.controller.js';
import { AdminStatementMailsController } from './admin/admin-statement-mails.controller.js';

@Module({
  imports: [
    AuditModule,
    MailModule,
    TypeOrmModule.forFeature([NoticeChoice, NoticeLink, NoticeMark, JobFailure, StatementMail]),
  ],
  controllers: [AdminMailController, AdminStatementMailsController],
  providers: [NoticeChoicesService, NoticesJob, NoticesRepository, JobFailures, StatementMailsService],
  exports: [NoticeChoicesService, NoticesJob, JobFailures, StatementMailsService],
})
export class NoticesModule {}
