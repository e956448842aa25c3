import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, type Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { RefusalHour } from '../entities/refusal-hour.entity.js';
import { RefusedOrder } from '../entities/refused-order.entity.js';
import { REFUSAL_LIMITS } from './refusal-limits.js';

export type NewRefusal = Pick<RefusedOrder, 'clientId' | 'storeOrderId' | 'code' | 'asked' | 'reasons'>;

/** A row takes more than its texts. */
const ROW_BYTES = 150;

/** SQL, because whether there is room and that it is taken is one statement, whatever other nodes keep at the same time. */
const KEEP_IF_ROOM = {
  name: 'refusal-keep-if-room',
  text: `
    WITH room AS (
           INSERT INTO refusal_hours AS h (client_id, hour, kept, kept_bytes)
           VALUES ($1, date_trunc('hour', now(), 'UTC'), 1, $5)
           ON CONFLICT (client_id, hour) DO UPDATE SET kept = h.kept + 1, kept_bytes = h.kept_bytes + excluded.kept_bytes
            WHERE h.kept < ${REFUSAL_LIMITS.kept} AND h.kept_bytes + excluded.kept_bytes <= ${REFUSAL_LIMITS.keptBytes}
           RETURNING true)
    INSERT INTO refused_orders (client_id, store_order_id, code, reasons, asked)
    SELECT $1, $2, $3, $4, $6 FROM room
    RETURNING true`,
};

/** SQL, because the counts of all clients are added in one statement, in an order in which two nodes cannot wait in a circle. */
const ADD_LEFT_OUT = {
  name: 'refusal-add-left-out',
  text: `
    INSERT INTO refusal_hours AS h (client_id, hour, left_out, left_out_at)
    SELECT client_id, date_trunc('hour', now(), 'UTC'), left_out, now()
      FROM unnest($1::int[], $2::int[]) AS counted (client_id, left_out)
     ORDER BY client_id
    ON CONFLICT (client_id, hour) DO UPDATE SET left_out = h.left_out + excluded.left_out, left_out_at = excluded.left_out_at`,
};

@Injectable()
export class RefusedOrdersRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(RefusedOrder) private readonly refused: Repository<RefusedOrder>,
    @InjectRepository(RefusalHour) private readonly hours: Repository<RefusalHour>,
  ) {}

  /** False if the client's hour is full. */
  async keepIfRoom({ clientId, storeOrderId, code, asked, reasons }: NewRefusal): Promise<boolean> {
    const [why, what] = [reasons, asked].map((value) => JSON.stringify(value));
    const bytes = [storeOrderId ?? '', why!, what!].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      ROW_BYTES,
    );
    const kept = await this.database.query(KEEP_IF_ROOM, [clientId, storeOrderId, code, why, bytes, what]);
    return kept.length > 0;
  }

  async addLeftOut(counts: ReadonlyMap<number, number>): Promise<void> {
    await this.database.query(ADD_LEFT_OUT, [[...counts.keys()], [...counts.values()]]);
  }

  /** Forgets a batch of those from before. Several nodes may do so at once. */
  async forget(before: Date, batchSize: number): Promise<void> {
    const old = await this.refused.find({
      select: { id: true },
      where: { refusedAt: LessThan(before) },
      order: { refusedAt: 'ASC' },
      take: batchSize,
    });
    await this.refused.delete({ id: In(old.map(({ id }) => id)) });
    await this.hours.delete({ hour: LessThan(before) });
  }
}
