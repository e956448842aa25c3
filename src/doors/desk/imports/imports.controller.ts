import { Get, Post, Req, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../audit/actor-of.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import type { ImportPiece, RunOptions } from '../../../imports/import-run.entity.js';
import { ImportRuns } from '../../../imports/import-runs.service.js';
import { MAX_CHANGE } from '../../../imports/import-tables.js';
import { again, AskedFields, IdParam, placeIn, SentFields, textIn } from '../../../pages/forms.js';
import { type Page, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { DomainError, type FieldError, validationFailed } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { readUpload } from '../../../platform/http/read-upload.js';
import { parseEnd, parseInstant, type TimeZone } from '../../../platform/time/time.js';
import { fileOf } from '../../shared/file-answer.js';
import { DeskPages } from '../desk-pages.js';
import { importPath } from '../paths.js';
import { type DeskImportKind, ImportKinds } from './import-kinds.js';
import { importsPage, MAX_FILE_BYTES } from './imports-page.js';
import { runPage } from './run-page.js';

const UPLOAD_ERRORS = [
  'body_too_complex',
  'body_too_large',
  'import_running',
  'malformed_request',
  'unreadable_file',
  'unsupported_media_type',
] as const;

/** Files that change the catalog, the stock, prices and many orders at once. */
@DeskPages('imports', 'staff')
export class ImportsController {
  constructor(
    private readonly runs: ImportRuns,
    private readonly kinds: ImportKinds,
  ) {}

  @Get()
  list(@AskedFields() query: FormFields): Promise<Page> {
    return this.listPage(textIn(query, 'kind'), placeIn(query, 'before'));
  }

  @Post()
  async upload(@Me() me: DeskPerson, @Req() request: ApiRequest): Promise<Reply> {
    let chosen: DeskImportKind | undefined;
    try {
      const id = await readUpload(request, MAX_FILE_BYTES, async ({ fields, name, bytes }) => {
        chosen = this.kinds.find(textIn(fields, 'kind'));
        if (!chosen) throw fault('kind', 'Choose what the file has.');
        if (!name) throw fault('file', 'Choose a file.');
        return this.runs.upload({ kind: chosen.name, name, bytes }, actorOf(me));
      });
      await this.runs.check(id, chosen!.files, {});
      return seeOther(importPath(id));
    } catch (error) {
      return again(error, await this.listPage(chosen?.name ?? ''), ...UPLOAD_ERRORS);
    }
  }

  @Get(':id')
  async show(@IdParam() id: number): Promise<Page> {
    const run = await this.runs.find(id);
    return runPage(run, this.kinds.find(run.kind));
  }

  @PostForm(':id/check')
  async check(
    @Me() { timeZone }: DeskPerson,
    @IdParam() id: number,
    @SentFields() fields: FormFields,
  ): Promise<Reply> {
    const { run, kind } = await this.findOpen(id);
    try {
      await this.runs.check(id, kind.files, readOptions(fields, kind, timeZone));
      return seeOther(importPath(id));
    } catch (error) {
      return again(error, runPage(run, kind), 'conflict', 'import_running');
    }
  }

  @PostForm(':id/apply')
  async apply(@Me() me: DeskPerson, @IdParam() id: number, @SentFields() fields: FormFields): Promise<Reply> {
    const { run, kind } = await this.findOpen(id);
    // The same form again, after a double click or "Back".
    if (run.appliedBy === actorOf(me) && run.state !== 'checked') return seeOther(importPath(id));
    try {
      await this.runs.apply(id, Number(textIn(fields, 'checks')) || 0, kind.files, actorOf(me));
      return seeOther(importPath(id));
    } catch (error) {
      return again(error, runPage(await this.runs.find(id), kind), 'conflict', 'import_running');
    }
  }

  @PostForm(':id/cancel')
  async cancel(@IdParam() id: number, @SentFields() fields: FormFields): Promise<Reply> {
    const run = await this.runs.find(id);
    // The same form again, after a double click or "Back".
    if (run.state === 'cancelled') return seeOther(importPath(id));
    try {
      await this.runs.cancel(id, Number(textIn(fields, 'checks')) || 0);
      return seeOther(importPath(id));
    } catch (error) {
      return again(error, runPage(await this.runs.find(id), this.kinds.find(run.kind)), 'conflict');
    }
  }

  @Get(':id/refused.csv')
  refused(@IdParam() id: number): Promise<StreamableFile> {
    return this.file(id, 'refused');
  }

  @Get(':id/changes.csv')
  changes(@IdParam() id: number): Promise<StreamableFile> {
    return this.file(id, 'changes');
  }

  private async findOpen(id: number) {
    const run = await this.runs.find(id);
    const kind = this.kinds.find(run.kind);
    if (!kind) throw new DomainError('import_not_found', 'Files of this kind are no longer imported here.');
    return { run, kind };
  }

  private file(id: number, file: ImportPiece['file']): Promise<StreamableFile> {
    return fileOf(`import-${id}-${file}.csv`, 'text/csv; charset=utf-8', this.runs.file(id, file));
  }

  private async listPage(kind: string, before?: number): Promise<Page> {
    return importsPage(await this.runs.history(before), this.kinds.all, { kind, before });
  }
}

function readOptions(fields: FormFields, { options }: DeskImportKind, timeZone: TimeZone): RunOptions {
  const ticked = [fields.options ?? []].flat();
  const faults: FieldError[] = [];
  const time = (name: 'countedAt' | 'from' | 'to', parse: typeof parseInstant) => {
    const text = textIn(fields, name).trim();
    if (text === '' || !options.includes(name)) return {};
    const at = parse(text, timeZone);
    if (at) return { [name]: at.toISOString() };
    faults.push({
      field: name,
      code: 'invalid',
      message: 'must be a date or a time, such as 2026-01-31T18:00',
    });
    return {};
  };
  const read: RunOptions = {
    ...(ticked.includes('force') && { force: true }),
    ...(ticked.includes('updateOnly') && { updateOnly: true }),
    ...(ticked.includes('overwrite') && { overwrite: true }),
    ...time('countedAt', parseInstant),
    ...time('from', parseInstant),
    ...time('to', parseEnd),
  };
  const percent = textIn(fields, 'maxChange').trim().replace(/ ?%$/, '');
  if (options.includes('maxChange') && percent !== '' && percent !== String(MAX_CHANGE)) {
    read.maxChange = Number(percent);
    if (!/^\d{1,6}(\.\d+)?$/.test(percent))
      faults.push({ field: 'maxChange', code: 'invalid', message: 'must be a percentage, such as 50' });
  }
  if (faults.length > 0) throw validationFailed(faults);
  return read;
}

function fault(field: string, message: string): DomainError {
  return validationFailed([{ field, code: 'required', message }]);
}
