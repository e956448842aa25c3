import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailDesk } from './mail-desk.js';
import { MailSender } from './mail-sender.js';
import { OutboxMail } from './outbox-mail.entity.js';
import { Outbox } from './outbox.js';
import { OutboxRepository } from './outbox.repository.js';
import { Postman } from './postman.js';

@Module({
  imports: [TypeOrmModule.forFeature([OutboxMail])],
  providers: [MailDesk, MailSender, Outbox, OutboxRepository, Postman],
  exports: [MailDesk, MailSender, Outbox],
})
export class MailModule {}
