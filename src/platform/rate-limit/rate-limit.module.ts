import { Module } from '@nestjs/common';
import { PersonPlaces, StrangerPlaces } from './places.js';
import { RateLimiter } from './rate-limiter.js';

@Module({
  providers: [PersonPlaces, RateLimiter, StrangerPlaces],
  exports: [PersonPlaces, RateLimiter, StrangerPlaces],
})
export class RateLimitModule {}
