import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UploadedFilesService } from './admin/uploaded-files.service.js';
import { ImportFiles } from './file-source.js';
import { ImportPiece, ImportRun } from './import-run.entity.js';
import { ImportRunsRepository } from './import-runs.repository.js';
import { ImportRuns } from './import-runs.service.js';
import { Importer } from './importer.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ImportRun, ImportPiece])],
  providers: [Importer, ImportFiles, ImportRuns, ImportRunsRepository, UploadedFilesService],
  exports: [Importer, ImportFiles, ImportRuns, UploadedFilesService],
})
export class ImportsModule {}
