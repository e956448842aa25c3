import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Note } from './note.entity.js';

export const LONGEST_NOTE = 1000;

/** The number of notes on a page. */
const MOST_SHOWN = 50;

export type NotedKind = 'order' | 'return' | 'client';

/** The subject as in the audit log: `order WO-…`. */
export const noted = (kind: NotedKind, key: string | number) => `${kind} ${key}`;

/** Notes of the wholesaler's people. */
@Injectable()
export class NotesService {
  constructor(@InjectRepository(Note) private readonly notes: Repository<Note>) {}

  /** The newest note comes first. */
  of(subject: string): Promise<Note[]> {
    return this.notes.find({ where: { subject }, order: { id: 'DESC' }, take: MOST_SHOWN });
  }

  async add(subject: string, given: string, actor: string): Promise<void> {
    const text = given.replaceAll(/\r\n?/g, '\n').trim();
    if (text === '') throw wrong('must not be empty');
    if (text.length > LONGEST_NOTE) throw wrong(`must have at most ${LONGEST_NOTE} characters`);
    await this.notes.insert({ subject, text, actor });
  }

  /** People remove their own notes only. */
  async remove(subject: string, id: number, actor: string): Promise<void> {
    const { affected } = await this.notes.delete({ subject, id, actor });
    if (affected === 0) throw new DomainError('conflict', 'You have no such note.');
  }
}

function wrong(message: string): DomainError {
  return new DomainError('invalid_value', `The note ${message}.`, {
    errors: [{ field: 'text', code: 'invalid_value', message }],
  });
}
