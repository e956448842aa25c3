import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportFiles } from './file-source.js';
import { ImportPiece, ImportRun } from './import-run.entity.js';
import { ImportRunsRepository } from './import-runs.repository.js';
import { ImportRuns } from './import-runs.service.js';
import { Importer } from './importer.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ImportRun, ImportPiece])],
  providers: [Importer, ImportFiles, ImportRuns, ImportRunsRepository],
  exports: [Importer, ImportFiles, ImportRuns],
})
export class ImportsModule {}
