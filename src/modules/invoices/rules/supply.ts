import type { Client } from '../../clients/client.entity.js';
import { missingInvoiceData } from '../../clients/rules/invoice-needs.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { isIndia } from '../../../platform/validation/countries.js';
import { stateInAddress } from '../../tax/gstin.js';

/** The client on the invoice. */
export type BilledClient = Pick<Client, 'id' | 'name' | 'gstin' | 'gstCategory' | 'state' | 'billingAddress'>;

/** The states of a supply, by their codes. */
interface Supply {
  /** It decides between CGST with SGST and IGST. */
  placeOfSupply: string;
  deliveryState: string;
}

/**
 * Goods for a registered client are supplied in its state, wherever they go: "bill to, ship to" (IGST Act,
 * section 10(1)(b)). Goods for other clients are supplied where they are delivered (section 10(1)(ca)). A
 * client with a UIN counts as one of these (CGST Act, section 2(94)).
 * Refuses a delivery that no invoice can bill, with the people who can help.
 */
export function supplyOf(client: BilledClient, to: { state: string; country: string }): Supply {
  if (!isIndia(to.country))
    throw refused(
      `The goods go to ${to.country}. Invoices of exports are not supported. ` +
        'Ship them without one, on the page of the order, and say why.',
    );
  const lacked = missingInvoiceData(client);
  if (lacked !== undefined)
    throw refused(
      `An invoice for ${client.name} (client ${client.id}) needs its ${lacked}. ` +
        'Staff can set the tax data on the page of the client, and its owner under Plan.',
    );
  const deliveryState = stateInAddress(to.state);
  if (deliveryState === undefined)
    throw refused(
      `An invoice needs the state of the delivery, and ${JSON.stringify(to.state)} is not an Indian state. ` +
        'Staff can change the delivery on the page of the order.',
    );
  const isRegistered = client.gstin !== null && client.gstCategory !== 'uin';
  return { placeOfSupply: isRegistered ? client.state! : deliveryState, deliveryState };
}

function refused(message: string): DomainError {
  return new DomainError('conflict', message);
}
