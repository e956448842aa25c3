import { BlockList, isIPv6 } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccessRule, Credential } from '../../../platform/access/access-rule.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import type { TimedResponse } from '../../../platform/http/app-messages.js';
import { callerAddress, callerNetwork } from '../../../platform/http/caller-address.js';
import { AnonymousLimit, FileQueue } from '../../../platform/limits/concurrency-limit.js';
import { RateLimiter } from '../../../platform/limits/rate-limiter.js';
import { accountOf } from '../../../platform/access/access.decorators.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { isStorableText } from '../../../platform/validation/texts.js';
import type { AdminKey } from '../keys/admin-key.entity.js';
import { AdminKeysService } from '../keys/admin-keys.service.js';
import { hashToken, isWholeKey, isWholeToken, readAuthorization } from '../tokens/token-secret.js';

const MAX_CACHED = 10_000;

/** Files that read many rows. Each holds a connection to the database until it is made. */
const FILE_OF_ROWS = /^\/api\/admin\/(exports|reports)\//;

type AdminKeyRule = Extract<AccessRule, { credential: 'admin key' }>;

/**
 * Checks the key of a program of the wholesaler. It queries the database on every request, so every node
 * refuses a revoked key at once. Unknown keys use the slots of anonymous callers.
 */
@Injectable()
export class AdminKeyCredentialService implements Credential<AdminKeyRule> {
  /** The key of each hash at its last look-up. It only decides whose slot the request takes. */
  private readonly ids = new LRUCache<string, number>({ max: MAX_CACHED });

  constructor(
    private readonly keys: AdminKeysService,
    private readonly anonymousLimit: AnonymousLimit,
    private readonly limiter: RateLimiter,
    private readonly fileQueue: FileQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async admit(request: ApiRequest, response: TimedResponse, { role }: AdminKeyRule): Promise<void> {
    const hash = hashToken(readSecret(request.headers.authorization));
    const key = await this.find(hash, request, response);
    if (!key) throw new DomainError('key_invalid', 'There is no such admin key. Make one at the desk.');
    const refusal = endOf(key);
    if (refusal !== undefined) throw new DomainError('key_invalid', refusal);
    const address = callerAddress(request);
    if (key.networks && !isIn(key.networks, address))
      throw new DomainError('address_not_allowed', `This key does not work from the address ${address}.`);
    const { id, name } = key;
    request.adminKey = { id, name, role: key.role, actor: `key ${id} (${name})` };
    if (!hasRole({ clientId: null, role: key.role }, role))
      throw new DomainError(
        'role_missing',
        `This needs a key with the role ${role}. The key has the role ${key.role}.`,
      );
    if (!Object.values(request.params).flat().every(isStorableText))
      throw new DomainError('malformed_request', 'The address has a character that no number or name has.');
    this.keys.noteUse(key, address);
    // The zone of its days: commands show times in it.
    response.setHeader('X-Time-Zone', this.settings.timeZone);
    if (!FILE_OF_ROWS.test(request.path)) return;
    // It waits without a slot, so that other requests of the key are served in the meantime.
    request.cost?.releaseSlot();
    await this.fileQueue.enter(accountOf(request), request, response);
  }

  /** Each key pays for its requests, and has its own slots. */
  private async find(hash: string, request: ApiRequest, response: TimedResponse): Promise<AdminKey | null> {
    const known = this.ids.get(hash);
    if (known !== undefined) {
      await this.enter(known, request, response);
      return this.keys.findByHash(hash);
    }
    const release = await this.anonymousLimit.acquire(callerNetwork(request), response);
    const key = await this.keys.findByHash(hash).finally(release);
    if (!key) return null;
    this.ids.set(hash, key.id);
    await this.enter(key.id, request, response);
    return key;
  }

  private async enter(id: number, request: ApiRequest, response: TimedResponse): Promise<void> {
    request.cost = this.limiter.spendOfKey(id, response);
    await request.cost.acquireSlot();
  }
}

function readSecret(header: string | undefined): string {
  if (header === undefined)
    throw new DomainError('key_missing', 'Send the header "Authorization: Bearer <admin key>".');
  const read = readAuthorization(header);
  if ('fault' in read)
    throw new DomainError('key_invalid', `${read.fault}: the header is "Authorization: Bearer <admin key>".`);
  if (isWholeToken(read.token))
    throw new DomainError('key_invalid', 'This is a token of a store. The admin API needs an admin key.');
  if (!isWholeKey(read.token))
    throw new DomainError(
      'key_invalid',
      'This is not a whole admin key: it was cut off, or it is something else.',
    );
  return read.token;
}

function endOf({ revokedAt, endsAt }: AdminKey): string | undefined {
  if (revokedAt) return 'This key was revoked. Make a new one at the desk.';
  return endsAt && endsAt.getTime() <= Date.now()
    ? 'This key has expired. Make a new one at the desk.'
    : undefined;
}

function isIn(networks: readonly string[], address: string): boolean {
  const allowed = new BlockList();
  for (const network of networks) {
    const [base, bits] = network.split('/') as [string, string];
    allowed.addSubnet(base, Number(bits), familyOf(base));
  }
  return allowed.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
