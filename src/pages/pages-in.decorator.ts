import { applyDecorators, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Frame } from './frame.js';
import { PageErrorFilter } from './page-error-filter.js';
import { PageInterceptor } from './page-interceptor.js';
import { SameOriginGuard } from './same-origin.guard.js';

/** The handlers of this controller answer browsers: with a `Page`, a `SeeOther` or a file, and whatever they throw with a page too. */
export function PagesIn(frame: Frame): ClassDecorator {
  return applyDecorators(
    ApiExcludeController(),
    UseGuards(SameOriginGuard),
    UseInterceptors(new PageInterceptor(frame)),
    UseFilters(new PageErrorFilter(frame)),
  );
}
