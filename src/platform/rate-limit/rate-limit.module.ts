import { Module } from '@nestjs/common';
import { OpenPlaces } from './open-places.js';
import { RateLimiter } from './rate-limiter.js';

@Module({ providers: [OpenPlaces, RateLimiter], exports: [OpenPlaces, RateLimiter] })
export class RateLimitModule {}
