import { type DynamicModule, Global, Module } from '@nestjs/common';
import { PrimaryLine } from './primary-line.js';

/** Only there in a worker: who serves alone has no line to anybody. */
@Global()
@Module({})
export class WorkersModule {
  static with(line: PrimaryLine): DynamicModule {
    return {
      module: WorkersModule,
      providers: [{ provide: PrimaryLine, useValue: line }],
      exports: [PrimaryLine],
    };
  }
}
