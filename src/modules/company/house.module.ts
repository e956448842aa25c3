import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { House } from './house.entity.js';
import { HouseService } from './house.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([House])],
  providers: [HouseService],
  exports: [HouseService],
})
export class HouseModule {}
