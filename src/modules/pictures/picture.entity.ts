import { Check, Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { PictureType } from './rules/picture-header.js';

/** An uploaded picture, once for all its uses. It stays: stores and browsers keep its address. */
@Entity('pictures')
@Check('pictures_hash', `hash ~ '^[0-9a-f]{64}$'`)
@Check('pictures_type', `type IN ('jpg', 'png', 'webp')`)
export class Picture {
  /** The SHA-256 of its bytes. */
  @PrimaryColumn('text') hash: string;
  @Column('text') type: PictureType;
  @Column('bytea') bytes: Buffer;
  /** In WebP. */
  @Column('bytea') thumbnail: Buffer;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
}
