import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';

/** What browsers load besides the pages, whoever's door these are of. */
@Module({ controllers: [AssetsController] })
export class PagesModule {}
