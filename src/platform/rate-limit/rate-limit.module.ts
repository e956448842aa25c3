import { Module } from '@nestjs/common';
import { OpenPlaces } from './open-places.js';
import { PersonPlaces } from './person-places.js';
import { RateLimiter } from './rate-limiter.js';

@Module({
  providers: [OpenPlaces, PersonPlaces, RateLimiter],
  exports: [OpenPlaces, PersonPlaces, RateLimiter],
})
export class RateLimitModule {}
