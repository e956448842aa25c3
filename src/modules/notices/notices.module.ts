import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { MailModule } from '../../shared/mail/mail.module.js';
import { NoticeChoice, NoticeLink, NoticeMark, StatementMail } from './notices.entity.js';
import { NoticeChoicesService } from './notice-choices.service.js';
import { NoticesJob } from './notices-job.service.js';
import { StatementMailsService } from './statement-mails.service.js';
import { NoticesRepository } from './notices.repository.js';

@Module({
  imports: [
    AuditModule,
    MailModule,
    TypeOrmModule.forFeature([NoticeChoice, NoticeLink, NoticeMark, StatementMail]),
  ],
  providers: [NoticeChoicesService, NoticesJob, NoticesRepository, StatementMailsService],
  exports: [NoticeChoicesService, NoticesJob, StatementMailsService],
})
export class NoticesModule {}
