import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';

/** Serves the files that all pages load. */
@Module({ controllers: [AssetsController] })
export class PagesModule {}
