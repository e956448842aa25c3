import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NoticeKind } from './rules/kinds.js';

/** How far a kind of notice has been told. Its row is locked while a node tells the next ones. */
@Entity('notice_marks')
export class NoticeMark {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'notice_marks_pk' })
  kind: NoticeKind;

  @Column('timestamptz', { name: 'told_until' })
  toldUntil: Date;
}
