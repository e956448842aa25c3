import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentThreadOwner } from '../../../platform/access/access.decorators.js';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import { AdminRoute, answerWith, CheckedBody, WantedType } from '../../../platform/http/admin-route.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { fileResponse, ZIP } from '../../../platform/http/file-response.js';
import { entryResponse } from '../../../shared/pdf/zip-response.js';
import { FiledReturnsService } from '../filed-returns.service.js';
import { filesOfReturn, toFiledRow, toReturnView } from '../gst-return.js';
import { GstReportService } from '../gst-report.service.js';
import {
  FiledReturnResponse,
  GstReportQuery,
  GstReturnResponse,
  MarkFiledRequest,
} from './gst-report.dto.js';

/** The return of outward supplies. */
@ApiTags('Reports')
@Controller('api/admin/reports')
export class AdminGstReportController {
  constructor(
    private readonly report: GstReportService,
    private readonly filedReturns: FiledReturnsService,
  ) {}

  @AdminRoute({
    method: 'GET',
    path: 'gst',
    role: roleToOpen('money/month/gstr1.zip'),
    operationId: 'reportGst',
    summary: 'Shows the return GSTR-1, with a summary for GSTR-3B, or has its files for the portal.',
    description:
      'As `application/zip` it has all files: CSV, and the JSON of the portal. With `file` it answers one ' +
      'of them, such as `gstr1.json`.',
    answer: { data: GstReturnResponse, files: [ZIP], description: 'The return.' },
    command: 'report gst',
  })
  async gst(
    @ValidQuery() { month, gstin, file }: GstReportQuery,
    @WantedType([ZIP]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<object | StreamableFile> {
    if (file === undefined && type === ZIP) {
      const { name, content } = await this.report.zipOf(month, gstin);
      return fileResponse(owner, name, ZIP, content);
    }
    const made = await this.report.returnOf(month, gstin);
    if (file === undefined) return answerWith(toReturnView(month, made));
    return entryResponse(owner, filesOfReturn(made), file);
  }

  @AdminRoute({
    method: 'POST',
    path: 'gst/filed',
    role: roleToOpen('money/month/filed'),
    operationId: 'markReturnFiled',
    summary: 'Marks the return of a month as filed, or takes the mark back.',
    description:
      'Goods that left in a filed month are refused: their invoice would be missing in its return.',
    body: { type: MarkFiledRequest },
    answer: { rows: FiledReturnResponse, description: 'The filed months; none after a mark is taken back.' },
    errors: ['conflict'],
    command: 'report filed',
  })
  async markFiled(
    @Actor() by: string,
    @CheckedBody() { month, take_back: reason, arn, gstin }: MarkFiledRequest,
  ) {
    if (reason === undefined)
      return answerWith((await this.filedReturns.mark(month, { gstin, arn }, by)).map(toFiledRow));
    if (arn !== undefined)
      throw validationFailed([
        { field: 'arn', code: 'not_combinable', message: 'cannot be combined with "take_back"' },
      ]);
    await this.filedReturns.takeBack(month, { gstin, reason }, by);
    return answerWith([]);
  }
}
