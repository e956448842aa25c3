import { Fault } from '../../platform/validation/fault-decorator.js';
import { isPincode, PINCODE_FAULT } from '../rules/pincode.js';

export function Pincode(): PropertyDecorator {
  return Fault('invalid_pincode', PINCODE_FAULT, (value, object) => {
    const { country } = object as { country?: unknown };
    return isPincode(value as string, typeof country === 'string' ? country : undefined);
  });
}
