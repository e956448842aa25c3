// Nest on Express as in its documentation, with one guard and one route that returns a constant.
import 'reflect-metadata';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  Param,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request } from 'express';
import type { Recording } from './recording.js';
import { readFileSync } from 'node:fs';

const { bodyBase64 } = JSON.parse(readFileSync(process.env.RECORDING!, 'utf8')) as Recording;
const record = JSON.parse(Buffer.from(bodyBase64, 'base64').toString()) as object;

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<Request>().headers.authorization !== undefined;
  }
}

@Controller('api/products')
@UseGuards(TokenGuard)
class StockController {
  @Get(':sku/stock')
  stock(@Param('sku') _sku: string): object {
    return record;
  }
}

@Module({ controllers: [StockController] })
class PlainModule {}

const app = await NestFactory.create(PlainModule, { logger: false });
await app.listen(Number(process.env.PORT), process.env.HOST!);
