import { applyDecorators, UseFilters, UseInterceptors } from '@nestjs/common';
import type { Frame } from './frame.js';
import { PageErrorFilter } from './page-error-filter.js';
import { PageInterceptor } from './page-interceptor.js';

/** What a handler gives back becomes what a browser gets: a `Page`, a `SeeOther` or a file; whatever it throws becomes a page too. */
export function AnswersWithPages(frame: Frame): ClassDecorator & MethodDecorator {
  return applyDecorators(UseInterceptors(new PageInterceptor(frame)), UseFilters(new PageErrorFilter(frame)));
}
