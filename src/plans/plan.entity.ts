import { Check, Column, CreateDateColumn, Entity, Index, Unique } from 'typeorm';
import { ChangeStamp, IdColumn } from '../platform/database/columns-of.js';

@Entity('plans')
@Index('plans_changed', ['changed'])
@Unique('plans_code_unique', ['code'])
@Check('plans_discount_is_percent', 'discount >= 0 AND discount <= 100')
export class Plan {
  @IdColumn('plans_pk')
  id: number;

  @Column('text')
  code: string;

  @Column('text')
  name: string;

  /** Percent as numeric text, such as "12.50". */
  @Column('numeric', { precision: 5, scale: 2 })
  discount: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ChangeStamp()
  changed: never;

  /** Set when the discount changes. */
  @ChangeStamp()
  repriced: never;
}
