import { Module } from '@nestjs/common';
import { AuthModule } from '../../modules/auth/auth.module.js';
import { ClientsModule } from '../../modules/clients/clients.module.js';
import { ExampleFilesController, GuideController, GuideTextsController } from './guide.controller.js';

/** The guides of both APIs, and the files of their examples. */
@Module({
  imports: [AuthModule, ClientsModule],
  controllers: [GuideController, GuideTextsController, ExampleFilesController],
})
export class GuideModule {}
