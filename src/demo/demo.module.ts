import { Module } from '@nestjs/common';
import { ImportsModule } from '../imports/imports.module.js';
import { SyntheticLoad } from './synthetic-load.js';

@Module({ imports: [ImportsModule], providers: [SyntheticLoad], exports: [SyntheticLoad] })
export class DemoModule {}
