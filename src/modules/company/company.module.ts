import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { House } from './company-profile.entity.js';
import { HouseService } from './company.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([House])],
  providers: [HouseService],
  exports: [HouseService],
})
export class HouseModule {}
