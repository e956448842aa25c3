import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Note } from './note.entity.js';

export const MAX_DESK_NOTE_LENGTH = 1000;

/** The notes of one subject, which a page shows together. */
const MAX_NOTES = 200;

export type NoteSubjectKind = 'order' | 'return' | 'client';

/** The subject as in the audit log: `order WO-…`. */
export const noteSubject = (kind: NoteSubjectKind, key: string | number) => `${kind} ${key}`;

/** Notes of the wholesaler's people. */
@Injectable()
export class NotesService {
  constructor(@InjectRepository(Note) private readonly notes: Repository<Note>) {}

  /** The newest note comes first. */
  of(subject: string): Promise<Note[]> {
    return this.notes.find({ where: { subject }, order: { id: 'DESC' }, take: MAX_NOTES });
  }

  async add(subject: string, typed: string, actor: string): Promise<void> {
    const text = typed.replaceAll(/\r\n?/g, '\n').trim();
    if (text === '') throw wrong('must not be empty');
    if (text.length > MAX_DESK_NOTE_LENGTH)
      throw wrong(`must have at most ${MAX_DESK_NOTE_LENGTH} characters`);
    if ((await this.notes.countBy({ subject })) >= MAX_NOTES)
      throw new DomainError(
        'conflict',
        `There are ${MAX_NOTES} notes, which is the maximum. Remove one first.`,
      );
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
