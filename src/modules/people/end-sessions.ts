import { IsNull, Not } from 'typeorm';
import type { Transaction } from '../../platform/database/database.js';
import { Session, SecondStep } from './person.entity.js';

/** Ends all sessions and unfinished sign-ins of a person, except one session. Returns their number. */
export async function endSessionsWithin(
  { manager }: Transaction,
  personId: number,
  exceptId?: number,
): Promise<number> {
  await manager.delete(SecondStep, { personId });
  const others = exceptId === undefined ? {} : { id: Not(exceptId) };
  const open = { personId, endedAt: IsNull(), ...others };
  const ended = await manager.update(Session, open, { endedAt: () => 'now()' });
  return ended.affected ?? 0;
}
