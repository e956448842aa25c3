import { OrderItemResponse } from './order.responses.js';
import { documentFacts } from '../../platform/http/error.response.js';

/** Of an order, in its body; of a quote, in the entry of `errors`. */
const UNPAID_FACTS = {
  unpaid_orders: {
    description: 'With `unpaid_limit_reached`: your unpaid orders.',
    type: 'integer',
    example: 10_000,
  },
  unpaid_orders_limit: {
    description: 'With `unpaid_limit_reached`: their maximum number; null if there is no limit.',
    type: 'integer',
    nullable: true,
    example: 10_000,
  },
  unpaid_value: {
    description: 'With `unpaid_limit_reached`: their total.',
    type: Number,
    example: 3_630_000,
  },
  unpaid_value_limit: {
    description: 'With `unpaid_limit_reached`: the maximum total; null if there is no limit.',
    type: Number,
    nullable: true,
    example: 10_000_000,
  },
} as const;

documentFacts({
  body: {
    order_number: {
      description:
        'With `duplicate_order`, `idempotency_key_reused` and `illegal_transition`: the number of the order.',
      type: String,
      example: 'WO-20261120-7K3M9-QXA2B',
    },
    status: {
      description:
        'With `duplicate_order`, `not_cancellable` and `not_changeable`: the status of that order.',
      type: String,
      example: 'awaiting_payment',
    },
    total: {
      description: 'With `duplicate_order`: its total; with `price_changed`: the computed one.',
      type: Number,
      example: 1499.5,
    },
    same_content: {
      description:
        'With `duplicate_order`: whether this request has the same content. Your order is placed if it is ' +
        'true and `status` is not `cancelled`.',
      type: Boolean,
      example: true,
    },
    cancel_reason: {
      description:
        'With `duplicate_order`, if that order is cancelled: the reason. It will not ship. To order again, ' +
        'send a new id.',
      type: String,
      example: 'expired',
    },
    items: {
      description:
        'With `duplicate_order`: the lines of that order as they were understood, with the key of each ' +
        'variation.',
      type: [OrderItemResponse],
    },
    return_number: {
      description: 'With `duplicate_return`: the number of the existing return.',
      type: String,
      example: 'RT-20261128-4HX2C-9TQ7M',
    },
    expected_total: {
      description: 'With `price_changed`: the total that the request expected.',
      type: Number,
      example: 1450,
    },
    ...UNPAID_FACTS,
  },
  errors: {
    ...UNPAID_FACTS,
    sku: { description: 'With `insufficient_stock`: the SKU of the line.', type: String, example: 'MUG-350' },
    requested: {
      description: 'With `insufficient_stock`: the ordered quantity.',
      type: 'integer',
      example: 5,
    },
    available: {
      description: 'With `insufficient_stock`: how many can be sold now.',
      type: 'integer',
      example: 2,
    },
    suggestion: {
      description:
        'With `unknown_sku`: the SKU that you probably meant. It differs only in case, spaces, dashes or ' +
        'leading zeros.',
      type: String,
      example: 'MUG-350',
    },
    inactive: {
      description: 'With `unknown_sku`, always true: the product was sold once and is inactive now.',
      enum: [true],
      type: Boolean,
    },
    total: {
      description: 'With `price_changed` in a quote: the computed total.',
      type: Number,
      example: 1499.5,
    },
    valid_keys: {
      description:
        'With `variation_required` and `unknown_variation`: the keys that can be ordered; with ' +
        '`ambiguous_variation`: those that the text fits.',
      type: [String],
      example: ['Size:S', 'Size:M'],
    },
  },
  examples: {
    duplicate_order: {
      order_number: 'WO-20261120-7K3M9-QXA2B',
      status: 'awaiting_payment',
      total: 363,
      same_content: true,
      items: [
        {
          sku: 'TSHIRT-CLASSIC',
          name: 'Classic Cotton T-Shirt',
          variation: 'Color:Navy|Size:M',
          quantity: 2,
          unit_price: 159,
          line_total: 318,
        },
      ],
    },
    price_changed: { total: 363, expected_total: 345 },
    idempotency_key_reused: { order_number: 'WO-20261120-7K3M9-QXA2B' },
    illegal_transition: { order_number: 'TEST-20261120-7K3M9-QXA2B' },
    not_cancellable: { status: 'shipped' },
    not_changeable: { status: 'pending' },
    duplicate_return: { return_number: 'RT-20261128-4HX2C-9TQ7M' },
    unpaid_limit_reached: {
      unpaid_orders: 10_000,
      unpaid_orders_limit: 10_000,
      unpaid_value: 3_630_000,
      unpaid_value_limit: 10_000_000,
    },
  },
});
