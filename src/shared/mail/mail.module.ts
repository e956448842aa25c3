import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailDesk } from './mail-desk.service.js';
import { MailSender } from './mail-sender.service.js';
import { OutboxMail } from './outbox-mail.entity.js';
import { Outbox } from './outbox.repository.js';
import { SmtpClient } from './smtp-client.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([OutboxMail])],
  providers: [MailDesk, MailSender, Outbox, SmtpClient],
  exports: [MailDesk, MailSender, Outbox],
})
export class MailModule {}
