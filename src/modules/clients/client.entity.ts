import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ForeignKey,
  PrimaryColumn,
  Exclusion,
  JoinColumn,
  ManyToOne,
  type Relation,
  type FindOptionsWhere,
  IsNull,
  Raw,
  Unique,
} from 'typeorm';
import { Plan } from '../plans/plan.entity.js';
import type { GstCategory } from '../tax/gst-codes.js';
import type { TokenKind } from '../../platform/access/token-kind.js';
import { ChangeVersion, IdColumn } from '../../platform/database/columns-of.js';
import type { TimeZone } from '../../platform/time/time.js';

/** A store owner who buys wholesale. The tokens of a suspended client are refused. */
@Entity('clients')
@Index('clients_changed', ['changed'])
@Check('clients_gst_category_known', `gst_category IN ('sez', 'government', 'uin')`)
@Check('clients_unpaid_limits_not_negative', 'unpaid_value_limit >= 0 AND unpaid_orders_limit >= 0')
export class Client {
  @IdColumn() id: number;
  @Column('text') name: string;
  @Column('text') email: string;
  @Column('timestamptz', { nullable: true }) suspendedAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  /** The maximum value of its unpaid orders. Null: the settings' value. 0: no limit. */
  @Column('numeric', { precision: 16, scale: 2, nullable: true }) unpaidValueLimit: string | null;
  /** The maximum number of its unpaid orders, with the same meaning of null and 0. */
  @Column('integer', { nullable: true }) unpaidOrdersLimit: number | null;
  /** Null: the settings' zone. */
  @Column('text', { nullable: true }) timeZone: TimeZone | null;
  @Column('text', { nullable: true }) gstin: string | null;
  /** Null: an ordinary client, which is registered if it has a GSTIN. */
  @Column('text', { nullable: true }) gstCategory: GstCategory | null;
  /** The code of two digits of the state that invoices name as the place of supply. */
  @Column('text', { nullable: true }) state: string | null;
  @Column('text', { nullable: true }) billingAddress: string | null;
  /** The first name of a renamed client, which its account with the accountant keeps. */
  @Column('text', { nullable: true }) ledgerName: string | null;
  @ChangeVersion() changed: never;
}

/** A domain for which a client's owners may create tokens. */
@Entity('client_domains')
@Index('client_domains_domain', ['domain'])
export class ClientDomain {
  @PrimaryColumn('integer')
  @ForeignKey(() => Client, { name: 'client_domains_client_fk', onDelete: 'CASCADE' })
  clientId: number;
  @PrimaryColumn('text') domain: string;
  @Column('text') allowedBy: string;
}

/** The period in which a client buys at a plan's prices, without its end. Periods never overlap. */
@Entity('subscriptions')
@Index('subscriptions_changed', ['changed'])
@Index('subscriptions_client', ['clientId', 'startsAt'])
@Index('subscriptions_plan', ['planId'])
@Check('subscriptions_end_after_start', 'ends_at > starts_at')
@Exclusion(
  'subscriptions_one_at_a_time',
  `USING gist (int4range(client_id, client_id, '[]') WITH &&, tstzrange(starts_at, ends_at) WITH &&)`,
)
export class Subscription {
  @IdColumn() id: number;
  @Column('integer') @ForeignKey(() => Client, { name: 'subscriptions_client_fk' }) clientId: number;
  @Column('integer') planId: number;
  @ManyToOne(() => Plan)
  @JoinColumn({ name: 'plan_id', foreignKeyConstraintName: 'subscriptions_plan_fk' })
  plan: Relation<Plan>;
  @Column('timestamptz') startsAt: Date;
  @Column('timestamptz') endsAt: Date;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @ChangeVersion() changed: never;
}

/** The default name. */
export const FIRST_NAME = 'Store';

/** A secret registered to one domain. Only its hash is stored; people recognise it by its prefix. */
@Entity('tokens')
@Check('tokens_kind_known', `kind IN ('full', 'read_only', 'test')`)
@Index('tokens_changed', ['changed'])
@Unique('tokens_hash_unique', ['hash'])
@Index('tokens_client', ['clientId'])
@Unique('tokens_request_once', ['clientId', 'requestKey'])
export class Token {
  @IdColumn() id: number;
  @Column('integer') @ForeignKey(() => Client, { name: 'tokens_client_fk' }) clientId: number;
  @Column('text', { default: 'full' }) kind: TokenKind;
  @Column('bytea') hash: Buffer;
  @Column('text', { default: FIRST_NAME }) name: string;
  @Column('text') prefix: string;
  @Column('text') domain: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  /** The time from which it is refused, because another token replaced it. */
  @Column('timestamptz', { nullable: true }) endsAt: Date | null;
  /** The key of the form that created it. Posting the form twice creates one token. */
  @Column('text', { nullable: true }) requestKey: string | null;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  @ChangeVersion() changed: never;
}

/** The condition for a valid token, by the database's clock. */
export const IS_GOOD: FindOptionsWhere<Token> = {
  revokedAt: IsNull(),
  endsAt: Raw((column) => `(${column} IS NULL OR ${column} > now())`),
};

/** The last use of a token, in a separate row, so that a use does not change the token's version. */
@Entity('token_uses')
export class TokenUse {
  @PrimaryColumn('integer')
  @ForeignKey(() => Token, { name: 'token_uses_token_fk', onDelete: 'CASCADE' })
  tokenId: number;
  @Column('timestamptz') lastUsedAt: Date;
}
