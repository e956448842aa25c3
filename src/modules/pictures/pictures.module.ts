import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Picture } from './picture.entity.js';
import { PicturesService } from './pictures.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Picture])],
  providers: [PicturesService],
  exports: [PicturesService],
})
export class PicturesModule {}
