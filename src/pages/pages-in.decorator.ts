import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnswersWithPages } from './answers-with-pages.decorator.js';
import type { Frame } from './frame.js';
import { SameOriginGuard } from './same-origin.guard.js';

/** A controller of pages whose forms none but they may send. */
export function PagesIn(frame: Frame): ClassDecorator {
  return applyDecorators(ApiExcludeController(), UseGuards(SameOriginGuard), AnswersWithPages(frame));
}
