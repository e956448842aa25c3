import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Required } from '../validation/absent.js';
import { Fault } from '../validation/fault-decorator.js';

const MOST_ORDERS = 100;

function NamedOrders(): PropertyDecorator {
  return applyDecorators(
    Required(),
    Fault('wrong_type', 'must be a list of order numbers', (value) =>
      [value].flat().every((part) => typeof part === 'string'),
    ),
    Fault(
      'too_many',
      `must name at most ${MOST_ORDERS} orders`,
      (value) => countIn(value as string | string[]) <= MOST_ORDERS,
    ),
    ApiProperty({
      description: `Our order numbers or your own ids, separated by commas, or the parameter repeated. A value that is itself an order's number, or one of several values, is taken whole, so that a number may hold a comma. At most ${MOST_ORDERS}.`,
      type: String,
      example: 'WO-20261120-7K3M9-QXA2B,WEB-1001',
    }),
  );
}

export class OrderStatusesQuery {
  @NamedOrders()
  orders: string | string[];
}

function countIn(value: string | string[]): number {
  return typeof value === 'string' ? value.split(',').length : value.length;
}
