import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** What the wholesaler's people set of their own house, in one row. The environment may set it instead. */
@Entity('house')
@Check('house_only_one', 'id = 1')
export class House {
  @PrimaryColumn('smallint', { default: 1 })
  id: number;

  /** Lines such as "IFSC: HDFC0001234". */
  @Column('text', { default: '' })
  bankDetails: string;

  @Column('text', { default: '' })
  contact: string;
}
