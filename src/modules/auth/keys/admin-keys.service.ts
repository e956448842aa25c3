import { isIP, isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { IsNull, Repository } from 'typeorm';
import type { DeskRole } from '../../../platform/access/access-rule.js';
import { DESK_ROLES } from '../../../platform/access/signed-in-person.js';
import { Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { readField, readFields } from '../../../platform/validation/readers.js';
import { readLine } from '../../../platform/validation/texts.js';
import { actorOf, type Author } from '../../audit/actor-of.js';
import { AuditLog, authorOf } from '../../audit/audit-log.js';
import { hashToken, newKey } from '../tokens/token-secret.js';
import { AdminKey } from './admin-key.entity.js';

export interface AdminKeyInput {
  name: string;
  role: string;
  /** Networks in CIDR notation, or single addresses. From everywhere if there is none. */
  networks?: readonly string[] | undefined;
  endsAt?: Date | undefined;
}

export interface AdminKeyListItem {
  key_id: number;
  name: string;
  role: DeskRole;
  prefix: string;
  networks: string[] | null;
  created_by: string;
  created_at: Date;
  ends_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_address: string | null;
  /** It was revoked, or its time is over. */
  has_ended: boolean;
}

const MAX_KEYS = 100;
/** Keys that are revoked stay. */
const MAX_LISTED = 300;
const MAX_NETWORKS = 20;
const NOTED_FOR_MS = 60_000;

/** Keys of programs of the wholesaler. A secret is shown once; only its hash is stored. */
@Injectable()
export class AdminKeysService {
  /** Keys and addresses whose use was recorded in the last minute. */
  private readonly noted = new LRUCache<string, true>({ max: 1_000, ttl: NOTED_FOR_MS });

  constructor(
    private readonly database: Database,
    @InjectRepository(AdminKey) private readonly keys: Repository<AdminKey>,
    private readonly audit: AuditLog,
  ) {}

  async add(input: AdminKeyInput, by: Author): Promise<AdminKeyListItem & { key: string }> {
    const values = readFields<Pick<AdminKey, 'name' | 'role' | 'networks' | 'endsAt'>>({
      name: () => readLine('name', input.name, 100),
      role: () => readRole(input.role),
      networks: () => readNetworks(input.networks ?? []),
      endsAt: () => readEndOfKey(input.endsAt),
    });
    const { key, prefix, hash } = newKey();
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      // Two at once wait for each other, so that none is one too many.
      await transaction.query({ text: `SELECT pg_advisory_xact_lock(hashtext('admin keys'))` }, []);
      if ((await manager.countBy(AdminKey, { revokedAt: IsNull() })) >= MAX_KEYS)
        throw new DomainError('conflict', `There are ${MAX_KEYS} keys. Revoke those that no program uses.`);
      const made = await manager.save(AdminKey, { ...values, prefix, hash, createdBy: actorOf(by) });
      const { name, role, networks } = values;
      await this.audit.recordWithin(transaction, {
        ...authorOf(by, null),
        action: 'key.added',
        subject: `key ${made.id}`,
        details: { name, role, prefix, networks: networks?.join(' ') ?? null },
      });
      return { ...toListItem(await manager.findOneByOrFail(AdminKey, { id: made.id })), key };
    });
  }

  /** A revoked key keeps its first date. */
  revoke(id: number, by: Author): Promise<AdminKeyListItem> {
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const { affected } = await manager.update(
        AdminKey,
        { id, revokedAt: IsNull() },
        { revokedAt: () => 'now()' },
      );
      const key = await manager.findOneBy(AdminKey, { id });
      if (!key) throw noSuchKey(id);
      if (affected)
        await this.audit.recordWithin(transaction, {
          ...authorOf(by, null),
          action: 'key.revoked',
          subject: `key ${id}`,
          details: { name: key.name, prefix: key.prefix },
        });
      return toListItem(key);
    });
  }

  /** Those that work, then the last of those that have ended. */
  async list(): Promise<AdminKeyListItem[]> {
    const order = { revokedAt: { direction: 'DESC', nulls: 'FIRST' }, id: 'DESC' } as const;
    const keys = await this.keys.find({ order, take: MAX_LISTED });
    const items = keys.map(toListItem);
    return [...items.filter((key) => !key.has_ended), ...items.filter((key) => key.has_ended)];
  }

  async find(id: number): Promise<AdminKeyListItem> {
    const key = await this.keys.findOneBy({ id });
    if (!key) throw noSuchKey(id);
    return toListItem(key);
  }

  /** By the hash in base64. */
  findByHash(hash: string): Promise<AdminKey | null> {
    return this.keys.findOneBy({ hash: Buffer.from(hash, 'base64') });
  }

  /** Whether this secret is that of a key that works. */
  async isInForce(secret: string): Promise<boolean> {
    const key = await this.findByHash(hashToken(secret));
    return key !== null && isInForce(key);
  }

  /** Once a minute for each key, and for a new address. The request does not wait for it. */
  noteUse({ id }: AdminKey, address: string): void {
    const use = `${id} ${address}`;
    if (this.noted.has(use)) return;
    this.noted.set(use, true);
    this.keys
      .update(id, { lastUsedAt: () => 'now()', lastUsedAddress: address })
      .catch(() => this.noted.delete(use));
  }
}

const noSuchKey = (id: number) => new DomainError('key_not_found', `There is no admin key ${id}.`);

const isInForce = ({ revokedAt, endsAt }: Pick<AdminKey, 'revokedAt' | 'endsAt'>) =>
  revokedAt === null && (endsAt === null || endsAt.getTime() > Date.now());

function toListItem({ id, name, role, prefix, networks, ...key }: AdminKey): AdminKeyListItem {
  return {
    key_id: id,
    name,
    role,
    prefix,
    networks,
    created_by: key.createdBy,
    created_at: key.createdAt,
    ends_at: key.endsAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    last_used_address: key.lastUsedAddress,
    has_ended: !isInForce(key),
  };
}

function readRole(text: string): DeskRole {
  const role = DESK_ROLES.find((one) => one === text);
  if (role === undefined)
    throw new DomainError('invalid_value', `The role must be one of ${DESK_ROLES.join(', ')}.`);
  return role;
}

function readEndOfKey(endsAt: Date | undefined): Date | null {
  if (endsAt && endsAt.getTime() <= Date.now())
    throw new DomainError('invalid_value', 'The end of a key must be later than now.');
  return endsAt ?? null;
}

/** "203.0.113.7" is 203.0.113.7/32. */
function readNetworks(texts: readonly string[]): string[] | null {
  const networks = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (networks.length > MAX_NETWORKS)
    throw new DomainError('invalid_value', `A key has at most ${MAX_NETWORKS} networks.`);
  const read = networks.map((text) => readField('networks', () => readNetwork(text)));
  return read.length === 0 ? null : read;
}

function readNetwork(text: string): string {
  const [address = '', typed, ...rest] = text.split('/');
  const bits = isIPv6(address) ? 128 : 32;
  const length = typed ?? String(bits);
  if (
    rest.length > 0 ||
    isIP(address) === 0 ||
    address.includes('%') ||
    !/^\d{1,3}$/.test(length) ||
    Number(length) > bits
  )
    throw new DomainError('invalid_value', `"${text.slice(0, 60)}" is no network such as 203.0.113.0/24.`);
  return `${address}/${length}`;
}
