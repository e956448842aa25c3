import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Picture } from './picture.entity.js';
import { PicturesService } from './pictures.service.js';
import { PicturesController } from './pictures.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Picture])],
  controllers: [PicturesController],
  providers: [PicturesService],
  exports: [PicturesService],
})
export class PicturesModule {}
