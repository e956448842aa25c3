import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { Places } from './places.js';

/** Nobody knows how long the others take. */
const LINE_SECONDS = 1;

/**
 * What all who bring no token may have asked of the database at a time: as much as one client may. A stranger can be anybody any number of
 * times, so there is nobody else to count by.
 */
@Injectable()
export class OpenPlaces {
  private readonly places = new Places();

  /**
   * Resolves when there is one, with how to give it back. That is for when the work is over, not for when the answer has left: of a place
   * that is everybody's, nobody may keep others by not reading.
   */
  async enter(response: Pick<ServerResponse, 'destroyed'>): Promise<() => void> {
    if (this.places.isFull) throw tooManyAtOnce();
    let leave = (): void => undefined;
    await this.places.enter({
      get destroyed() {
        return response.destroyed;
      },
      whenOver: (callback) => (leave = callback),
    });
    return () => leave();
  }

  /** For a part of what a request asks for, which is done even if nobody waits for the answer any more. */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(STAYS);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

const STAYS = { destroyed: false };

function tooManyAtOnce(): DomainError {
  return new DomainError('rate_limited', 'Hundreds are waiting for this at once. Come back in a moment.', {
    retryAfterSeconds: LINE_SECONDS,
  });
}
