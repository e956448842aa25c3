import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { threadOwnerOf } from '../../platform/access/access.decorators.js';
import { idIn } from '../../shared/ui/forms.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';

/** The request of a page or a form: the person, the parameters of the route, and the fields. */
export type PageRequest<Part extends string = never, Person = SignedInPerson> = Record<Part, string> & {
  me: Person;
  /** The parameter `id` of the route, as a number. */
  id: number;
  /** The parameter `id` of the route, as it was sent. */
  idText: string;
  /** The fields of the form, or of the query string. */
  fields: FormFields;
  /** For an upload. */
  httpRequest: ApiRequest;
  /** The owner of the work that makes a file. It is made when it is read. */
  owner: ThreadOwner;
};

export const PageRequest = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  const httpRequest = http.getRequest<RequestWithParams>();
  const { person: me, params, method, body, query } = httpRequest;
  const fields = method === 'POST' ? body : query;
  return {
    ...params,
    me,
    id: idIn(params.id),
    idText: params.id,
    fields,
    httpRequest,
    get owner() {
      return threadOwnerOf(httpRequest, http.getResponse<Response>());
    },
  };
});

type RequestWithParams = ApiRequest & { params: Readonly<Record<string, string>> };
