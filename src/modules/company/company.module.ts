import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PicturesModule } from '../pictures/pictures.module.js';
import { CompanyProfile } from './company-profile.entity.js';
import { CompanyService } from './company.service.js';

@Module({
  imports: [PicturesModule, TypeOrmModule.forFeature([CompanyProfile])],
  providers: [CompanyService],
  exports: [CompanyService],
})
export class CompanyModule {}
