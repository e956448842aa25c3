import { Required } from '../../platform/validation/fault-decorator.js';
import { ListParameter } from '../../platform/validation/list-parameter.decorator.js';

export class OrderStatusesQuery {
  @ListParameter({
    of: 'order numbers',
    most: 100,
    description: 'Our order numbers or your own ids.',
    example: ['WO-20261120-7K3M9-QXA2B', 'WEB-1001'],
    required: true,
  })
  @Required()
  orders: string | string[];
}
