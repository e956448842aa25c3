import { Module } from '@nestjs/common';
import { Importer } from './importer.service.js';

@Module({ providers: [Importer], exports: [Importer] })
export class ImportsModule {}
