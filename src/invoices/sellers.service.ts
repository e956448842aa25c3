import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { Client } from '../clients/client.entity.js';
import { INVOICE_NEEDS, lackedForInvoice } from '../clients/rules/invoice-needs.js';
import { actAs, Database, takeTurns } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { requireTax, SETTINGS, type Settings } from '../platform/settings/settings.js';
import { stateBeside, stateName } from '../tax/gstin.js';
import { Product } from '../catalog/product.entity.js';
import { Seller } from './entities/seller.entity.js';
import { readSeller, type SellerChange, type SellerName } from './seller-fields.js';

export interface SellerShown {
  name: string;
  gstin: string;
  address: string;
  /** The code of two digits. */
  state: string;
  receipt_vouchers: boolean;
}

interface SellerDescribed {
  seller: (SellerShown & { changed_at: Date }) | null;
  /** Parcels of these products, and for these clients, are refused until the data are there. */
  products_without_tax_data: number;
  clients_without_tax_data: number;
}

/** The wholesaler as its invoices name it. Without a seller there is no tax. */
@Injectable()
export class SellersService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Seller) private readonly sellers: Repository<Seller>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Pages show invoices and tax data only then. */
  async isTaxOn(): Promise<boolean> {
    return this.settings.tax === 'gst' && (await this.sellers.exists());
  }

  /** In words what a client lacks for the invoices of its parcels. */
  async lackedBy(client: Client): Promise<string | undefined> {
    return (await this.isTaxOn()) ? lackedForInvoice(client) : undefined;
  }

  async show(): Promise<SellerDescribed> {
    requireTax(this.settings);
    const { manager } = this.sellers;
    const [seller] = await this.sellers.find();
    const lacking = { active: true, hsn: '' };
    return {
      seller: seller ? { ...toShown(seller), changed_at: seller.changedAt } : null,
      products_without_tax_data: await manager.countBy(Product, [
        lacking,
        { active: true, gstRate: IsNull() },
      ]),
      clients_without_tax_data: await manager.countBy(
        Client,
        INVOICE_NEEDS.map((need) => ({ [need]: IsNull(), suspendedAt: IsNull() })),
      ),
    };
  }

  /** The values as a form takes them. */
  async asText(): Promise<SellerTexts> {
    return textsOf(await this.sellers.findOneBy({ id: 1 }));
  }

  /** What `set` would store, as a form takes it, or its refusal. */
  async preview(change: SellerChange): Promise<SellerTexts> {
    const { manager } = this.sellers;
    return textsOf(await judged(manager, await manager.findOneBy(Seller, { id: 1 }), this.read(change)));
  }

  /**
   * Changes the given values. The first time, all but the state are needed: the GSTIN has it. A trigger logs
   * the change. `seen` has the texts that a person saw, as JSON: if they differ now, nothing is changed.
   */
  async set(change: SellerChange, actor: string, seen?: string): Promise<SellerShown> {
    const given = this.read(change);
    return this.database.transaction(async (transaction) => {
      await takeTurns(transaction, 'seller set');
      const { manager } = transaction;
      const lock = { mode: 'for_no_key_update' } as const;
      const before = await manager.findOne(Seller, { where: { id: 1 }, lock });
      if (seen !== undefined && seen !== JSON.stringify(textsOf(before))) throw changedMeanwhile();
      const after = await judged(manager, before, given);
      const isSame = before && JSON.stringify(toShown(before)) === JSON.stringify(toShown(after));
      if (isSame) return toShown(after);
      const { id: _, ...values } = { ...after, changedAt: () => 'now()' };
      await actAs(transaction, actor);
      if (before) await manager.update(Seller, 1, values);
      else await manager.insert(Seller, { id: 1, ...values });
      return toShown(after);
    });
  }

  private read(change: SellerChange) {
    requireTax(this.settings);
    return readSeller(change);
  }
}

type SellerTexts = Record<SellerName, string>;

function textsOf(seller: Seller | null): SellerTexts {
  if (!seller) return { name: '', gstin: '', address: '', state: '', receiptVouchers: 'no' };
  const { name, gstin, address, state, receiptVouchers } = seller;
  return { name, gstin, address, state: stateName(state), receiptVouchers: receiptVouchers ? 'yes' : 'no' };
}

function changedMeanwhile(): DomainError {
  return new DomainError(
    'conflict',
    'Another person changed the seller in the meantime. Nothing was written.',
  );
}

/** The seller with these values. Refuses what the law does not allow. */
async function judged(
  manager: EntityManager,
  before: Seller | null,
  { state = null, ...given }: ReturnType<typeof readSeller>,
): Promise<Seller> {
  const after = completed({ receiptVouchers: false, ...before, ...given });
  after.state = stateBeside(after.gstin, state)!;
  const twin = await manager.findOneBy(Client, { gstin: after.gstin });
  if (twin) throw new DomainError('invalid_value', `The GSTIN is that of ${twin.name} (client ${twin.id}).`);
  return after;
}

function completed(seller: Partial<Seller>): Seller {
  const needed = ['name', 'gstin', 'address'] as const;
  const missing = needed.filter((field) => seller[field] === undefined).map((field) => `--${field}`);
  if (missing.length > 0)
    throw new DomainError('invalid_value', `There is no seller yet: give ${missing.join(' and ')} too.`);
  return seller as Seller;
}

function toShown({ name, gstin, address, state, receiptVouchers: receipt_vouchers }: Seller): SellerShown {
  return { name, gstin, address, state, receipt_vouchers };
}
