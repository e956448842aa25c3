import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { threadOwnerOf } from '../../../platform/access/access.decorators.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { DomainError, type FieldError } from '../../../platform/errors/domain-error.js';
import { readFileBody } from '../../../platform/http/read-upload.js';
import {
  ConcurrencyLimit,
  ONE_FILE_AT_A_TIME,
  tooManyFiles,
} from '../../../platform/limits/concurrency-limit.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { MAX_FILE_BYTES, withFileCopy } from '../file-copy.js';
import { fileResponse } from '../../../platform/http/file-response.js';
import { ImportFiles } from '../file-source.js';
import type { ImportReport } from '../import-report.js';
import { nameParameters } from '../option-labels.js';
import type { RecordImport } from '../record-source.js';
import { firstOf, reportAsJson } from '../report-json.js';
import { MAX_REASONS } from './import-route.js';
import { type ImportQuery, toImportOptions } from './import-query.js';

export interface UploadedFile {
  request: ApiRequest;
  response: Response;
  owner: ThreadOwner;
}

/** The body of a request, which is a file. */
export const FileBody = createParamDecorator((_: unknown, context: ExecutionContext): UploadedFile => {
  const http = context.switchToHttp();
  const [request, response] = [http.getRequest<ApiRequest>(), http.getResponse<Response>()];
  return { request, response, owner: threadOwnerOf(request, response) };
});

/** Imports the files of programs. The file is whole on the disk before the database sees it. */
@Injectable()
export class UploadedFilesService {
  private readonly queue = new ConcurrencyLimit<string>(tooManyFiles, ONE_FILE_AT_A_TIME, tooManyFiles);

  constructor(
    private readonly files: ImportFiles,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async import(
    kind: RecordImport,
    { request, response, owner }: UploadedFile,
    query: ImportQuery,
  ): Promise<StreamableFile> {
    const report = await withFileCopy(readFileBody(request, MAX_FILE_BYTES), undefined, async (copy) => {
      owner.releaseSlot?.();
      const release = await this.queue.acquire(owner.account, response);
      try {
        const source = await this.files.open(copy, 'The file');
        const options = toImportOptions(query, this.settings.timeZone);
        return await kind.import(source, {
          ...options,
          actor: request.adminKey!.actor,
          formatMessage: nameParameters,
        });
      } finally {
        release();
      }
    });
    try {
      if (report.nothingWritten && !report.dryRun) throw await refusalOf(report);
      // Streamed from the database: the lists may be long.
      const answer = answerWithReport(report, query.failed_file === true);
      return await fileResponse(owner, undefined, 'application/json; charset=utf-8', answer);
    } catch (error) {
      // The answer was never begun.
      await report.close();
      throw error;
    }
  }
}

async function* answerWithReport(report: ImportReport, withFile: boolean): AsyncGenerator<string> {
  try {
    yield `{"success":true,${report.dryRun ? '"dry_run":true,' : ''}"data":`;
    yield* reportAsJson(report, { maxReasons: MAX_REASONS, withFailedFile: withFile });
    yield '}';
  } finally {
    await report.close();
  }
}

/** For a file of which all rows or none are written. */
async function refusalOf(report: ImportReport): Promise<DomainError> {
  const { failedCount: refused } = report;
  const errors: FieldError[] = [];
  for await (const { line, column: field, message } of firstOf(report.failed(), MAX_REASONS))
    errors.push({ line, field, code: 'row_refused', message });
  const rows = refused === 1 ? '1 row is' : `${refused} rows are`;
  return new DomainError('import_refused', `Nothing was written, because ${rows} refused.`, {
    facts: { refused },
    errors,
  });
}
