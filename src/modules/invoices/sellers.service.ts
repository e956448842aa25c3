import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Not, Repository } from 'typeorm';
import { lacksTaxData } from '../catalog/product-search.repository.js';
import { Product } from '../catalog/product.entity.js';
import { Client } from '../clients/client.entity.js';
import { INVOICE_NEEDS, missingInvoiceData } from '../clients/rules/invoice-needs.js';
import { actAs, Database, lockByName } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Firm } from '../../platform/settings/firm.js';
import { requireTax, SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Day, dayAt } from '../../platform/time/time.js';
import { stateForGstin, stateName } from '../tax/gstin.js';
import { FiledReturn } from './entities/filed-return.entity.js';
import { GST_BEGAN, Seller, TaxDocument } from './entities/tax-document.entity.js';
import { allSellers } from './invoices.repository.js';
import { addressParts } from './rules/address-parts.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { toPortalText } from './rules/portal-text.js';
import { currentAndComing, applyRegistrationChange, sellerOn } from './rules/registrations.js';
import type { BilledClient } from './rules/supply.js';
import { readSeller, type SellerChange, type SellerFieldName } from './seller-fields.js';

export interface SellerView {
  name: string;
  gstin: string;
  address: string;
  /** The code of two digits. */
  state: string;
  receipt_vouchers: boolean;
  /** The first day of this registration. */
  since: Day;
}

interface SellerOverview {
  seller: (SellerView & { changed_at: Date }) | null;
  /** The registration to come. */
  coming: SellerView | null;
  /** Parcels with these products, or for these clients, are refused until the data are complete. */
  products_without_tax_data: number;
  clients_without_tax_data: number;
}

/** Selects active clients that lack data for invoices. */
const MISSING_DATA = INVOICE_NEEDS.map((need) => ({ [need]: IsNull(), suspendedAt: IsNull() }));

/** The wholesaler as its invoices name it. Without a seller there is no tax. */
@Injectable()
export class SellersService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Seller) private readonly sellers: Repository<Seller>,
    private readonly firm: Firm,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Pages show invoices and tax data only if this is true. */
  async isTaxOn(): Promise<boolean> {
    return this.settings.tax === 'gst' && (await this.sellers.exists());
  }

  /** Follows the name of a price. Prices include tax, if there is tax. */
  async priceNote(): Promise<string> {
    return (await this.isTaxOn()) ? ', GST included' : '';
  }

  /** The registration of a day. None without tax. */
  async on(day: Day): Promise<Seller | undefined> {
    return this.settings.tax === 'gst' ? sellerOn(await allSellers(this.sellers.manager), day) : undefined;
  }

  /** The firm as the documents of today name it. Empty without a seller. */
  async firmName(): Promise<string> {
    return (await this.on(today()))?.name ?? '';
  }

  /** Describes the data that a client lacks for invoices. Undefined if they are complete. */
  async missingDataOf(client: BilledClient): Promise<string | undefined> {
    return (await this.isTaxOn()) ? this.missingForInvoice(client) : undefined;
  }

  /** The active clients whose parcels are refused, with the missing data. A scan: there are few clients. */
  async listUnbillable(limit: number): Promise<(BilledClient & { missingData: string })[]> {
    if (!(await this.isTaxOn())) return [];
    const withGstin = this.hasEInvoices ? [{ gstin: Not(IsNull()), suspendedAt: IsNull() }] : [];
    // Only an address for the portal is checked here.
    const take = this.hasEInvoices ? undefined : limit;
    const clients = await this.sellers.manager.find(Client, {
      select: { id: true, name: true, gstin: true, state: true, billingAddress: true },
      where: [...MISSING_DATA, ...withGstin],
      order: { id: 'ASC' },
      ...(take !== undefined && { take }),
    });
    const all = clients.map((client) => ({ ...client, missingData: this.missingForInvoice(client) ?? '' }));
    return all.filter(({ missingData }) => missingData !== '').slice(0, limit);
  }

  private get hasEInvoices(): boolean {
    return this.settings.eInvoicesFrom !== undefined;
  }

  /** The portal takes only some addresses of clients with a GSTIN. */
  private missingForInvoice(client: BilledClient): string | undefined {
    const lacked = missingInvoiceData(client);
    const { gstin, billingAddress, state } = client;
    if (lacked !== undefined || !this.hasEInvoices || gstin === null) return lacked;
    if (!addressParts(billingAddress!, state!))
      return 'billing address with its place and a PIN code of its state at the end';
    const texts = [client.name, billingAddress!];
    return texts.every(toPortalText) ? undefined : 'name and billing address in Latin letters';
  }

  async show(): Promise<SellerOverview> {
    requireTax(this.settings);
    const { manager } = this.sellers;
    const { now: seller, coming } = currentAndComing(await allSellers(manager), today());
    const products = manager.createQueryBuilder(Product, 'p').where('p.active');
    return {
      seller: seller ? { ...toSellerView(seller), changed_at: seller.changedAt } : null,
      coming: coming ? toSellerView(coming) : null,
      products_without_tax_data: await products.andWhere(lacksTaxData(this.settings)).getCount(),
      clients_without_tax_data: await manager.countBy(Client, MISSING_DATA),
    };
  }

  /** The values as texts for a form. */
  async asText(): Promise<SellerTexts> {
    return textsOf(await allSellers(this.sellers.manager));
  }

  /** A preview of `set`, as texts for a form. Throws what `set` would throw. */
  async preview(change: SellerChange): Promise<SellerTexts> {
    const { manager } = this.sellers;
    return textsOf(await applyChange(manager, await allSellers(manager), this.read(change)));
  }

  /**
   * Changes the given values. The first time, all but the state are needed: the GSTIN has it. A trigger logs
   * the change. `reviewedState` has the texts on the person's page, as JSON: if they differ now, it refuses.
   * Returns the registration that was set.
   */
  async set(change: SellerChange, actor: string, reviewedState?: string): Promise<SellerView> {
    const changes = this.read(change);
    const set = await this.database.transaction(async (transaction) => {
      await lockByName(transaction, 'seller set');
      const { manager } = transaction;
      const before = await allSellers(manager, { mode: 'for_no_key_update' });
      if (reviewedState !== undefined && reviewedState !== JSON.stringify(textsOf(before)))
        throw sellerChangedError();
      const after = await applyChange(manager, before, changes);
      await actAs(transaction, actor);
      const gone = before.filter(({ id }) => !after.some((one) => one.id === id));
      if (gone.length > 0) await manager.delete(Seller, { id: In(gone.map(({ id }) => id)) });
      for (const one of after) {
        const was = before.find(({ id }) => id === one.id);
        if (was && isDeepStrictEqual(toSellerView(was), toSellerView(one))) continue;
        const { id, ...values } = { ...one, changedAt: () => 'now()' };
        if (was) await manager.update(Seller, id, values);
        else await manager.insert(Seller, { id, ...values });
        if (was && was.gstin !== one.gstin)
          await manager.update(FiledReturn, { gstin: was.gstin }, { gstin: one.gstin });
      }
      return toSellerView(registrationSetBy(after, changes.from));
    });
    // Other processes learn it by their jobs.
    this.firm.name = await this.firmName();
    return set;
  }

  private read(change: SellerChange) {
    requireTax(this.settings);
    return readSeller(change);
  }
}

type SellerTexts = Record<SellerFieldName, string>;

/** Fields of a change that are no values of the seller. */
const CHANGE_ONLY = { from: '', mistyped: 'no' };

function textsOf(all: readonly Seller[]): SellerTexts {
  const { now, coming } = currentAndComing(all, today());
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

function sellerChangedError(): DomainError {
  return new DomainError('conflict', 'Another person changed the seller in the meantime. Nothing was saved.');
}

/** The registration that a change has set, or the present one after a withdrawal. */
const registrationSetBy = (after: readonly Seller[], from?: Day): Seller =>
  after.find(({ since }) => since === from) ?? currentAndComing(after, today()).now!;

/** The registrations after the change. Refuses changes that the law does not allow. */
async function applyChange(
  manager: EntityManager,
  before: Seller[],
  { state = null, ...changes }: ReturnType<typeof readSeller>,
): Promise<Seller[]> {
  const named = new Set<string>();
  for (const { gstin } of before) if (await isInDocuments(manager, gstin)) named.add(gstin);
  const isInUse = ({ gstin }: Seller) => named.has(gstin);
  const after =
    before.length === 0
      ? [firstRegistration(changes)]
      : applyRegistrationChange(before, today(), changes, isInUse);
  const twin = await manager.findOneBy(Client, { gstin: In(after.map(({ gstin }) => gstin)) });
  if (twin) throw new DomainError('invalid_value', `The GSTIN is that of ${twin.name} (client ${twin.id}).`);
  const set = registrationSetBy(after, changes.from);
  set.state = stateForGstin(set.gstin, state)!;
  return after;
}

function isInDocuments(manager: EntityManager, gstin: string): Promise<boolean> {
  const documents = manager.createQueryBuilder(TaxDocument, 'd');
  return documents.where(`d.facts->'seller'->>'gstin' = :gstin`, { gstin }).getExists();
}

function firstRegistration({
  from,
  mistyped: _,
  ...seller
}: Partial<Seller> & { from?: Day | undefined; mistyped?: boolean }): Seller {
  const required = ['name', 'gstin', 'address'] as const;
  const missing = required.filter((field) => seller[field] === undefined).map((field) => `--${field}`);
  if (missing.length > 0)
    throw new DomainError('invalid_value', `There is no seller yet: give ${missing.join(' and ')} too.`);
  if (from !== undefined)
    throw new DomainError('invalid_value', 'There is no seller yet: its first registration needs no day.');
  return { id: 1, since: GST_BEGAN, receiptVouchers: false, ...seller } as Seller;
}

function toSellerView(seller: Seller): SellerView {
  const { name, gstin, address, state, receiptVouchers: receipt_vouchers, since } = seller;
  return { name, gstin, address, state, receipt_vouchers, since };
}
