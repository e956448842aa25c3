import { ApiSchema } from '@nestjs/swagger';
import { Nested, OptionalText } from '../../platform/validation/body-fields.decorator.js';
import {
  CustomerRequest,
  OrderContentRequest,
  ShippingRequest,
  ORDER_LIMITS,
  STORE_ORDER_ID_NAMES,
} from './create-order.request.js';

/** The body of an order without its recipient, who may not be known yet. */
@ApiSchema({ name: 'QuoteOrder' })
export class QuoteOrderRequest extends OrderContentRequest {
  @Nested(() => CustomerRequest, {
    description: 'Who receives the goods; checked if it is there.',
    optional: true,
  })
  customer?: CustomerRequest;

  @Nested(() => ShippingRequest, {
    description: 'Where the goods go; checked if it is there.',
    optional: true,
  })
  shipping?: ShippingRequest;

  @OptionalText({
    max: ORDER_LIMITS.storeOrderId,
    description:
      "The store's own order id, if the order is to have one: 409 `duplicate_order` if it is taken, as " +
      'creating the order would answer.',
    example: 'WEB-1002',
    alsoCalled: STORE_ORDER_ID_NAMES,
  })
  store_order_id?: string;
}
