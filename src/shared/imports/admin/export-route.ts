import { createParamDecorator, type ExecutionContext, Header, applyDecorators } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import type { Response } from 'express';
import { threadOwnerOf } from '../../../platform/access/access.decorators.js';
import { CSV } from '../../../platform/http/file-response.js';
import { AdminRoute } from '../../../platform/http/admin-route.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { OptionalBooleanParameter } from '../../../platform/validation/query-parameters.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';

export const ForExcel = () =>
  OptionalBooleanParameter({
    description: 'CSV begins with a byte order mark, so that Excel reads UTF-8.',
    example: true,
  });

export class ExportQuery {
  @ForExcel() excel?: boolean;
}

interface ExportRouteOptions {
  /** Its name in the address. */
  name: string;
  operationId: string;
  summary: string;
  command: string;
}

const MEDIA_TYPES = [CSV, 'application/json'] as const;

/** The cells by column. */
@ApiSchema({ name: 'ExportedRow' })
class ExportedRowResponse {}

/** All rows of a list, streamed. The desk and the command write the same file. */
export const ExportRoute = ({ name, ...route }: ExportRouteOptions) =>
  applyDecorators(
    AdminRoute({
      ...route,
      method: 'GET',
      path: `exports/${name}`,
      role: 'staff',
      description:
        'CSV or, with `Accept: application/json`, JSON with the same cells. If an error comes in ' +
        'the middle, the connection breaks off: the file is whole only if the answer ends as HTTP says.',
      answer: { rows: ExportedRowResponse, files: [CSV], description: 'All rows.' },
    }),
    Header('Vary', 'Accept'),
  );

export interface ExportTarget {
  owner: ThreadOwner;
  isJson: boolean;
}

/** The reader of the file, and whether it prefers JSON. */
export const ExportReader = createParamDecorator((_: unknown, context: ExecutionContext): ExportTarget => {
  const http = context.switchToHttp();
  const request = http.getRequest<ApiRequest>();
  const isJson = request.accepts([...MEDIA_TYPES]) === 'application/json';
  return { owner: threadOwnerOf(request, http.getResponse<Response>()), isJson };
});
