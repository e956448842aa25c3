import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { OpenPlaces } from './open-places.js';

/**
 * For a route that asks the database for whoever comes: it waits for one of the places that strangers share. Stands above the decorator of
 * the body, which is so read before: nobody keeps a place by sending slowly.
 */
export function TakesOpenPlace(): MethodDecorator {
  return UseInterceptors(OpenPlaceInterceptor);
}

@Injectable()
class OpenPlaceInterceptor implements NestInterceptor {
  constructor(private readonly places: OpenPlaces) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const leave = await this.places.enter(context.switchToHttp().getResponse<Response>());
    return next.handle().pipe(finalize(leave));
  }
}
