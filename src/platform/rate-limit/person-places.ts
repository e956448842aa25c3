import { Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import type { TimedResponse } from '../http/app-messages.js';
import { Places } from './places.js';

/** Nobody knows how long the others take. */
const LINE_SECONDS = 1;

/**
 * What one who is signed in may have asked of the database at a time: as much as one client. Only people who were found have places, so that
 * invented ones cannot fill the memory.
 */
@Injectable()
export class PersonPlaces {
  private readonly byPerson = new Map<number, Places>();

  /** At once, or when it is their turn. It is given back when the work is over, and of a file when nobody takes it any more. */
  enter(personId: number, response: TimedResponse): void | Promise<void> {
    const places = this.placesOf(personId);
    if (places.isFull) throw tooManyAtOnce();
    return places.enter({
      get destroyed() {
        return response.destroyed;
      },
      whenOver: (leave) => {
        let isOver = false;
        const over = () => {
          if (isOver) return;
          isOver = true;
          leave();
          if (places.isUnused) this.byPerson.delete(personId);
        };
        response.whenOver(over);
        // Of a file that is cut off nobody calls the end.
        response.once('close', () => response.headersSent && over());
      },
    });
  }

  private placesOf(personId: number): Places {
    let places = this.byPerson.get(personId);
    if (!places) this.byPerson.set(personId, (places = new Places()));
    return places;
  }
}

function tooManyAtOnce(): DomainError {
  return new DomainError('rate_limited', 'Hundreds of your pages are waiting for one another.', {
    retryAfterSeconds: LINE_SECONDS,
  });
}
