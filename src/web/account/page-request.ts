import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { idIn } from '../../shared/ui/forms.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { FormFields } from '../../platform/http/parse-form.js';

/** The request of a page or a form: the person, the parameters of the route, and the fields. */
export type PageRequest<Part extends string = never, Person = SignedInPerson> = Record<Part, string> & {
  me: Person;
  /** The parameter `id` of the route, as a number. */
  id: number;
  /** The parameter `id` of the route, as it was sent. */
  idText: string;
  /** The fields of the form, or of the query string. */
  fields: FormFields;
};

export const PageRequest = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { person: me, params, method, body, query } = context.switchToHttp().getRequest<RequestWithParams>();
  return { ...params, me, id: idIn(params.id), idText: params.id, fields: method === 'POST' ? body : query };
});

type RequestWithParams = ApiRequest & { params: Readonly<Record<string, string>> };
