import { Module } from '@nestjs/common';
import { DemoModule } from '../../demo/demo.module.js';

/** What the command line adds to the product. */
@Module({ imports: [DemoModule] })
export class CliModule {}
