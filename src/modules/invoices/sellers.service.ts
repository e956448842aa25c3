import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Not, Repository } from 'typeorm';
import { Product } from '../catalog/product.entity.js';
import { Client } from '../clients/client.entity.js';
import { INVOICE_NEEDS, lackedForInvoice } from '../clients/rules/invoice-needs.js';
import { actAs, Database, takeTurns } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireTax, SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Day, dayAt } from '../../platform/time/time.js';
import { stateBeside, stateName } from '../tax/gstin.js';
import { GST_BEGAN, Seller, TaxDocument } from './entities/tax-document.entity.js';
import { allSellers, type BilledClient } from './invoices.repository.js';
import { addressParts } from './rules/address-parts.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { nowAndNext, withChange } from './rules/registrations.js';
import { readSeller, type SellerChange, type SellerName } from './seller-fields.js';

export interface SellerShown {
  name: string;
  gstin: string;
  address: string;
  /** The code of two digits. */
  state: string;
  receipt_vouchers: boolean;
  /** The first day of this registration. */
  since: Day;
}

interface SellerDescribed {
  seller: (SellerShown & { changed_at: Date }) | null;
  /** The registration to come. */
  coming: SellerShown | null;
  /** Parcels with these products, or for these clients, are refused until the data are complete. */
  products_without_tax_data: number;
  clients_without_tax_data: number;
}

/** Selects active clients that lack data for invoices. */
const LACKING = INVOICE_NEEDS.map((need) => ({ [need]: IsNull(), suspendedAt: IsNull() }));

/** The wholesaler as its invoices name it. Without a seller there is no tax. */
@Injectable()
export class SellersService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Seller) private readonly sellers: Repository<Seller>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Pages show invoices and tax data only if this is true. */
  async isTaxOn(): Promise<boolean> {
    return this.settings.tax === 'gst' && (await this.sellers.exists());
  }

  /** Describes the data that a client lacks for invoices. Undefined if they are complete. */
  async lackedBy(client: BilledClient): Promise<string | undefined> {
    return (await this.isTaxOn()) ? this.lacks(client) : undefined;
  }

  /** The active clients whose parcels are refused, with the missing data. A scan: there are few clients. */
  async unbilled(most: number): Promise<(BilledClient & { lacked: string })[]> {
    if (!(await this.isTaxOn())) return [];
    const withGstin = this.hasEInvoices ? [{ gstin: Not(IsNull()), suspendedAt: IsNull() }] : [];
    const clients = await this.sellers.manager.find(Client, {
      select: { id: true, name: true, gstin: true, state: true, billingAddress: true },
      where: [...LACKING, ...withGstin],
      order: { id: 'ASC' },
    });
    const all = clients.flatMap((client) => ({ ...client, lacked: this.lacks(client) ?? '' }));
    return all.filter(({ lacked }) => lacked !== '').slice(0, most);
  }

  private get hasEInvoices(): boolean {
    return this.settings.eInvoicesFrom !== undefined;
  }

  /** The portal takes only some addresses of clients with a GSTIN. */
  private lacks(client: BilledClient): string | undefined {
    const lacked = lackedForInvoice(client);
    const { gstin, billingAddress, state } = client;
    if (lacked !== undefined || !this.hasEInvoices || gstin === null) return lacked;
    return addressParts(billingAddress!, state!)
      ? undefined
      : 'billing address with its place and a PIN code of its state at the end';
  }

  async show(): Promise<SellerDescribed> {
    requireTax(this.settings);
    const { manager } = this.sellers;
    const { now: seller, coming } = nowAndNext(await allSellers(manager), today());
    const lacking = { active: true, hsn: '' };
    return {
      seller: seller ? { ...toShown(seller), changed_at: seller.changedAt } : null,
      coming: coming ? toShown(coming) : null,
      products_without_tax_data: await manager.countBy(Product, [
        lacking,
        { active: true, gstRate: IsNull() },
      ]),
      clients_without_tax_data: await manager.countBy(Client, LACKING),
    };
  }

  /** The values as texts for a form. */
  async asText(): Promise<SellerTexts> {
    return textsOf(await allSellers(this.sellers.manager));
  }

  /** A preview of `set`, as texts for a form. Throws what `set` would throw. */
  async preview(change: SellerChange): Promise<SellerTexts> {
    const { manager } = this.sellers;
    return textsOf(await judged(manager, await allSellers(manager), this.read(change)));
  }

  /**
   * Changes the given values. The first time, all but the state are needed: the GSTIN has it. A trigger logs
   * the change. `reviewedState` has the texts on the person's page, as JSON: if they differ now, it refuses.
   * Returns the registration that was set.
   */
  async set(change: SellerChange, actor: string, seen?: string): Promise<SellerShown> {
    const given = this.read(change);
    return this.database.transaction(async (transaction) => {
      await takeTurns(transaction, 'seller set');
      const { manager } = transaction;
      const before = await allSellers(manager, { mode: 'for_no_key_update' });
      if (seen !== undefined && seen !== JSON.stringify(textsOf(before))) throw changedMeanwhile();
      const after = await judged(manager, before, given);
      await actAs(transaction, actor);
      const gone = before.filter(({ id }) => !after.some((one) => one.id === id));
      if (gone.length > 0) await manager.delete(Seller, { id: In(gone.map(({ id }) => id)) });
      for (const one of after) {
        const was = before.find(({ id }) => id === one.id);
        if (was && isDeepStrictEqual(toShown(was), toShown(one))) continue;
        const { id, ...values } = { ...one, changedAt: () => 'now()' };
        if (was) await manager.update(Seller, id, values);
        else await manager.insert(Seller, { id, ...values });
      }
      return toShown(setBy(after, given.from));
    });
  }

  private read(change: SellerChange) {
    requireTax(this.settings);
    return readSeller(change);
  }
}

type SellerTexts = Record<SellerName, string>;

/** Fields of a change that are no values of the seller. */
const CHANGE_ONLY = { from: '', mistyped: 'no' };

function textsOf(all: readonly Seller[]): SellerTexts {
  const { now, coming } = nowAndNext(all, today());
  if (!now) return { name: '', gstin: '', address: '', state: '', receiptVouchers: 'no', ...CHANGE_ONLY };
  const { name, gstin, address, state, receiptVouchers } = now;
  return {
    name,
    gstin,
    address,
    state: stateName(state),
    receiptVouchers: receiptVouchers ? 'yes' : 'no',
    ...CHANGE_ONLY,
    from: coming ? `${coming.since}: ${coming.gstin}, ${coming.name}, ${coming.address}` : '',
  };
}

const today = () => dayAt(Date.now(), LAW_TIME_ZONE);

function changedMeanwhile(): DomainError {
  return new DomainError('conflict', 'Another person changed the seller in the meantime. Nothing was saved.');
}

/** The registration that a change has set, or the present one after a withdrawal. */
const setBy = (after: readonly Seller[], from?: Day): Seller =>
  after.find(({ since }) => since === from) ?? nowAndNext(after, today()).now!;

/** The registrations after the change. Refuses changes that the law does not allow. */
async function judged(
  manager: EntityManager,
  before: Seller[],
  { state = null, ...given }: ReturnType<typeof readSeller>,
): Promise<Seller[]> {
  const named = new Set<string>();
  for (const { gstin } of before) if (await isInDocuments(manager, gstin)) named.add(gstin);
  const isNamed = ({ gstin }: Seller) => named.has(gstin);
  const after = before.length === 0 ? [first(given)] : withChange(before, today(), given, isNamed);
  const twin = await manager.findOneBy(Client, { gstin: In(after.map(({ gstin }) => gstin)) });
  if (twin) throw new DomainError('invalid_value', `The GSTIN is that of ${twin.name} (client ${twin.id}).`);
  const set = setBy(after, given.from);
  set.state = stateBeside(set.gstin, state)!;
  return after;
}

function isInDocuments(manager: EntityManager, gstin: string): Promise<boolean> {
  const documents = manager.createQueryBuilder(TaxDocument, 'd');
  return documents.where(`d.facts->'seller'->>'gstin' = :gstin`, { gstin }).getExists();
}

function first({
  from,
  mistyped: _,
  ...seller
}: Partial<Seller> & { from?: Day | undefined; mistyped?: boolean }): Seller {
  const needed = ['name', 'gstin', 'address'] as const;
  const missing = needed.filter((field) => seller[field] === undefined).map((field) => `--${field}`);
  if (missing.length > 0)
    throw new DomainError('invalid_value', `There is no seller yet: give ${missing.join(' and ')} too.`);
  if (from !== undefined)
    throw new DomainError('invalid_value', 'There is no seller yet: its first registration needs no day.');
  return { id: 1, since: GST_BEGAN, receiptVouchers: false, ...seller } as Seller;
}

function toShown(seller: Seller): SellerShown {
  const { name, gstin, address, state, receiptVouchers: receipt_vouchers, since } = seller;
  return { name, gstin, address, state, receipt_vouchers, since };
}
