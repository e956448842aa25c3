import type { AutoPayWish } from '../../../orders/paying/client-auto-pay.js';
import { textIn } from '../../../pages/forms.js';
import type { FormFields } from '../../../platform/http/parse-form.js';

export function readAutoPayForm(fields: FormFields): AutoPayWish {
  return {
    enabled: textIn(fields, 'enabled') === 'yes',
    orderCap: textIn(fields, 'orderCap'),
    dayCap: textIn(fields, 'dayCap'),
    shown: textIn(fields, 'shown'),
  };
}
