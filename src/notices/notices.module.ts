import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { MailModule } from '../mail/mail.module.js';
import { NoticeChoice } from './notice-choice.entity.js';
import { NoticeChoicesService } from './notice-choices.service.js';
import { NoticeLink } from './notice-link.entity.js';
import { NoticeMark } from './notice-mark.entity.js';
import { NoticesJob } from './notices-job.service.js';
import { NoticesRepository } from './notices.repository.js';

@Module({
  imports: [AuditModule, MailModule, TypeOrmModule.forFeature([NoticeChoice, NoticeLink, NoticeMark])],
  providers: [NoticeChoicesService, NoticesJob, NoticesRepository],
  exports: [NoticeChoicesService, NoticesJob],
})
export class NoticesModule {}
