import { ApiSchema } from '@nestjs/swagger';
import { RequiredWholeNumber } from '../../../platform/validation/body-fields.decorator.js';
import { ORDER_LIMITS } from '../placing/create-order.request.js';

@ApiSchema({ name: 'LineUnits' })
export class LineUnitsDto {
  @RequiredWholeNumber({
    min: 1,
    max: ORDER_LIMITS.items,
    description: 'The number of the line.',
    example: 1,
  })
  line: number;

  @RequiredWholeNumber({
    min: 1,
    max: ORDER_LIMITS.quantity,
    description: 'How many units of it.',
    example: 2,
  })
  quantity: number;
}
