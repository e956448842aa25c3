import { ApiSchema } from '@nestjs/swagger';
import { Nested } from '../validation/nested.decorator.js';
import { CustomerRequest, OrderContentRequest, ShippingRequest } from './create-order.request.js';

/** The body of an order; who receives it need not be known yet. */
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
}
