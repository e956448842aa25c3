import { applyDecorators } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import {
  Nested,
  NestedList,
  OptionalAmount,
  OptionalFreeTexts,
  OptionalText,
  RequiredText,
  RequiredWholeNumber,
} from '../../../platform/validation/body-fields.decorator.js';
import { Transform } from '../../../platform/validation/named-fields.js';
import { Fault } from '../../../platform/validation/fault-decorator.js';
import { isPincode, PINCODE_FAULT, readPincode } from '../../../platform/validation/pin-codes.js';
import { ORDER_FIELDS } from '../rules/order-fields.js';
import { METADATA_LIMITS, type OrderMetadata } from '../rules/order-metadata.js';

/** Limits of one order. The same numbers stand in the OpenAPI document. */
export const ORDER_LIMITS = {
  items: 100,
  quantity: 100_000,
  sku: 64,
  storeOrderId: 64,
  variation: 1_000,
  /** Above the dearest order there can be: 100 lines of 100,000 at 1,000,000 each, and their delivery. */
  total: 20_000_000_000_000,
} as const;

/** Names that other APIs use for the store's own id. */
export const STORE_ORDER_ID_NAMES = ['order_id', 'order_number', 'order_reference', 'reference'] as const;

const EMAIL = /^[^\s@]+@[^\s@]+$/;

@ApiSchema({ name: 'DeliveryRecipient' })
class RecipientRequest {
  @RequiredText({
    max: ORDER_FIELDS.customerName.maxLength,
    description: "The customer's full name.",
    example: 'Ravi Kumar',
    alsoCalled: ['full_name', 'customer_name'],
  })
  name: string;

  @RequiredText({
    max: ORDER_FIELDS.customerPhone.maxLength,
    description:
      'A phone number for the courier: ten digits in India, with or without +91 or 0, spaces or hyphens; ' +
      'elsewhere 7 to 15 digits.',
    example: '+91 98765 43210',
    alsoCalled: ['mobile', 'mobile_number', 'phone_number', 'telephone'],
  })
  phone: string;
}

@ApiSchema({ name: 'OrderCustomer' })
export class CustomerRequest extends RecipientRequest {
  @Fault('invalid_email', 'must be an e-mail address', (value) => EMAIL.test(value as string))
  @OptionalText({
    max: ORDER_FIELDS.customerEmail.maxLength,
    description: "The customer's e-mail address.",
    example: 'ravi@example.com',
  })
  email?: string;
}

@ApiSchema({ name: 'OrderShipping' })
export class ShippingRequest {
  @RequiredText({
    max: ORDER_FIELDS.shippingAddress.maxLength,
    description: 'The full street address.',
    example: '12, MG Road, Indiranagar',
    alsoCalled: ['address_1', 'address_line_1', 'line_1', 'street'],
  })
  address: string;

  @RequiredText({ max: ORDER_FIELDS.shippingCity.maxLength, description: 'The city.', example: 'Bengaluru' })
  city: string;

  @RequiredText({
    max: ORDER_FIELDS.shippingState.maxLength,
    description:
      'The state. In India by its name, its letters (`KA`) or its GST code (`29`); it is kept as its name. ' +
      'If invoices are issued, other texts are 422 `unknown_state`.',
    example: 'Karnataka',
  })
  state: string;

  @Pincode()
  @RequiredText({
    max: ORDER_FIELDS.shippingPincode.maxLength,
    description:
      'The postal PIN code: 6 digits in India, also as `560 038`; elsewhere 3 to 12 letters, digits, ' +
      'spaces or hyphens.',
    example: '560038',
    alsoCalled: ['postcode', 'postal_code', 'zip', 'zip_code', 'pin'],
  })
  pincode: string;

  // With a documented `default`, generators of clients would make it required.
  @OptionalText({
    max: ORDER_FIELDS.shippingCountry.maxLength,
    description:
      'The country by its English name or its two-letter ISO code; India if it is left out. 422 ' +
      '`country_not_served` names the countries that we deliver to.',
    example: 'India',
  })
  country?: string;
}

@ApiSchema({ name: 'OrderLine' })
export class OrderItemRequest {
  @RequiredText({
    max: ORDER_LIMITS.sku,
    description: "The product's SKU.",
    example: 'TSHIRT-CLASSIC',
    alsoCalled: ['product_sku', 'product_code', 'item_code'],
  })
  sku: string;

  @RequiredWholeNumber({
    min: 1,
    max: ORDER_LIMITS.quantity,
    description: 'How many.',
    example: 2,
    alsoCalled: ['qty'],
  })
  quantity: number;

  @OptionalText({
    max: ORDER_LIMITS.variation,
    description:
      'Which variation: the values (`Red / XL`), the stock key (`Color:Red|Size:XL`) or named pairs ' +
      '(`Size: XL, Color: Red`). Required for a product with variations; kept as a remark for a product ' +
      'without.',
    example: 'Navy / M',
    alsoCalled: ['variant', 'option', 'options'],
  })
  variation?: string;

  @Metadata('Texts of your own for this line, with the same limits as those of the order.', {
    engraving: 'R.K.',
  })
  metadata?: OrderMetadata;
}

/** The fields that an order and a quote have in common. */
export class OrderContentRequest {
  @NestedList(() => OrderItemRequest, { min: 1, max: ORDER_LIMITS.items, description: 'What is ordered.' })
  items: OrderItemRequest[];

  @OptionalText({
    max: ORDER_LIMITS.storeOrderId,
    description:
      "The store's own order id, without surrounding space. It names one order of the token's domain for " +
      'ever: a repeat is ' +
      'answered with 409 and the existing order. If that order was cancelled, order again with a new id. ' +
      'An empty id is refused. An id of `.` or `..` does not work in a path, because most clients resolve ' +
      'it away; use `GET /api/orders/status?orders=`.',
    example: 'WEB-1001',
    alsoCalled: STORE_ORDER_ID_NAMES,
    isId: true,
  })
  store_order_id?: string;

  @OptionalText({
    max: ORDER_FIELDS.notes.maxLength,
    lines: true,
    description: 'Special instructions. They may have several lines.',
    example: 'Please call before delivery.',
  })
  notes?: string;

  @Metadata(
    `Texts of your own, such as the id of a cart: up to ${METADATA_LIMITS.entries} keys of up to ` +
      `${METADATA_LIMITS.key} characters with values of up to ${METADATA_LIMITS.value}, together up to ` +
      `${METADATA_LIMITS.total}. They are never interpreted. Every answer about the order returns them, ` +
      'and you and the wholesaler see them on pages and in files. They never change: a repeat with other ' +
      'metadata has the same content, and the metadata of the first request stay.',
    { cart_id: 'C-3391', campaign: 'diwali' },
  )
  metadata?: OrderMetadata;

  @OptionalAmount({
    max: ORDER_LIMITS.total,
    description:
      'The total you expect. If the computed total differs, an order is refused with 409 ' +
      '`price_changed`, and a quote reports it in `errors`. It never sets a price.',
    example: 363,
  })
  expected_total?: number;
}

/** There are no price fields: prices come from the plan. Unknown fields are ignored. */
@ApiSchema({ name: 'CreateOrder' })
export class CreateOrderRequest extends OrderContentRequest {
  @Nested(() => CustomerRequest, { description: 'Who receives the goods.' })
  customer: CustomerRequest;

  @Nested(() => ShippingRequest, { description: 'Where the goods go.' })
  shipping: ShippingRequest;
}

function Metadata(description: string, example: OrderMetadata): PropertyDecorator {
  const alsoCalled = ['meta', 'meta_data', 'custom_fields', 'custom_attributes', 'custom_data'];
  return OptionalFreeTexts({ limits: METADATA_LIMITS, description, example, alsoCalled });
}

function Pincode(): PropertyDecorator {
  const countryOf = ({ country }: { country?: unknown }) =>
    typeof country === 'string' ? country : undefined;
  return applyDecorators(
    Transform(({ value, obj }: { value: unknown; obj: object }) =>
      typeof value === 'string' ? readPincode(value, countryOf(obj)) : value,
    ),
    Fault('invalid_pincode', PINCODE_FAULT, (value, object) => isPincode(value as string, countryOf(object))),
  );
}

/**
 * The docs send this order as it stands, at each press of the button. So it has no `store_order_id` and no
 * `expected_total`.
 */
export const ORDER_EXAMPLE = {
  order: {
    summary: 'Two shirts',
    description: 'A store adds a `store_order_id` of its own, which makes the order safe to repeat.',
    value: {
      customer: { name: 'Ravi Kumar', phone: '+91 98765 43210', email: 'ravi@example.com' },
      shipping: {
        address: '12, MG Road, Indiranagar',
        city: 'Bengaluru',
        state: 'Karnataka',
        pincode: '560038',
        country: 'India',
      },
      items: [{ sku: 'TSHIRT-CLASSIC', quantity: 2, variation: 'Navy / M' }],
      notes: 'Please call before delivery.',
    },
  },
};

/** The delivery of an order as it shall be. The e-mail address of the customer stays. */
@ApiSchema({ name: 'ChangeDelivery' })
export class ChangeDeliveryRequest {
  @Nested(() => RecipientRequest, { description: 'Who receives the goods.' })
  customer: RecipientRequest;

  @Nested(() => ShippingRequest, { description: 'Where the goods go.' })
  shipping: ShippingRequest;
}

export const DELIVERY_EXAMPLE = {
  delivery: {
    summary: 'Another recipient at the same address',
    value: {
      customer: { name: 'Asha Kumar', phone: '+91 98765 43211' },
      shipping: ORDER_EXAMPLE.order.value.shipping,
    },
  },
};

/** The body of an order without its recipient, who may not be known yet. */
@ApiSchema({ name: 'QuoteOrder' })
export class QuoteOrderRequest extends OrderContentRequest {
  @Nested(() => CustomerRequest, {
    description: 'Who receives the goods. Checked if present.',
    optional: true,
  })
  customer?: CustomerRequest;

  @Nested(() => ShippingRequest, {
    description: 'Where the goods go. Checked if present.',
    optional: true,
  })
  shipping?: ShippingRequest;
}
