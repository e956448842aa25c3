import type { ApiRequest } from '../../platform/http/api-request.js';
import type { Firm } from '../../platform/settings/firm.js';

/** The firm of the service that answers: frames have no services of their own. */
export const firmOf = ({ app }: ApiRequest) => app.get('firm') as Firm;
