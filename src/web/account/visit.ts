import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { idIn } from '../../shared/ui/forms.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { FormFields } from '../../platform/http/parse-form.js';

/** Who opens a page or sends its form. The parts of the address have the names of the route. */
export type Visit<Part extends string = never, Person = SignedInPerson> = Record<Part, string> & {
  me: Person;
  /** The part `id` of the address, as a number and as a text. */
  id: number;
  uuid: string;
  /** What the form or the address says. */
  fields: FormFields;
};

export const Visit = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { person: me, params, method, body, query } = context.switchToHttp().getRequest<Asking>();
  return { ...params, me, id: idIn(params.id), uuid: params.id, fields: method === 'POST' ? body : query };
});

type Asking = ApiRequest & { params: Readonly<Record<string, string>> };
