import { isDeepStrictEqual } from 'node:util';
import { Get, Inject, Post, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { SubscriptionAdministrationService } from '../../../modules/clients/subscription-administration.service.js';
import type { MappedHeading } from '../../../shared/imports/import-kind.js';
import type { ImportPiece, ImportRun, RunOptions } from '../../../shared/imports/import-run.entity.js';
import { MAX_FILE_BYTES } from '../../../shared/imports/file-copy.js';
import { ImportRuns } from '../../../shared/imports/import-runs.service.js';
import { MAX_CHANGE } from '../../../shared/imports/import-tables.js';
import { submitForm, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { type DeskPerson, may, requirePermission } from '../../../platform/access/signed-in-person.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { parsePercent, readTypedPrice } from '../../../platform/money/money.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { MayHaveBody } from '../../../platform/http/bodies.js';
import { readUpload } from '../../../platform/http/read-upload.js';
import { readTimes } from '../../../platform/validation/readers.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { fileResponse } from '../../../platform/http/file-response.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { importPath } from '../paths.js';
import { type DeskImportKind, ImportKinds } from './import-kinds.js';
import { importsPage, RUNS } from './imports-page.js';
import { type DisplayOptions, headingField, runPage, TICKS } from './run-page.js';

/** Files that change the catalog, the stock, prices and many orders at once. */
@DeskPages('imports')
export class ImportsController {
  constructor(
    private readonly runs: ImportRuns,
    private readonly kinds: ImportKinds,
    private readonly subscriptions: SubscriptionAdministrationService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  list(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Page> {
    return this.listPage(me, textIn(fields, 'kind'), fields);
  }

  @Post()
  @MayHaveBody()
  upload(@DeskPageRequest() { me, httpRequest }: DeskPageRequest): Promise<Reply> {
    let selected: DeskImportKind | undefined;
    const upload = async () => {
      const id = await readUpload(httpRequest, MAX_FILE_BYTES, async ({ fields, name, bytes }) => {
        selected = this.kinds.of(me).find(({ name: kindName }) => kindName === textIn(fields, 'kind'));
        if (!selected) throw fault('kind', 'Choose what the file has.');
        if (!name) throw fault('file', 'Choose a file.');
        return this.runs.upload({ kind: selected.name, name, bytes }, actorOf(me));
      });
      await this.runs.check(id, selected!.files, {});
      return seeOther(importPath(id));
    };
    return submitForm(upload, () => this.listPage(me, selected?.name ?? ''));
  }

  /** A file with the heading alone. */
  @Get('templates/:name.csv')
  template(@DeskPageRequest() { owner, me, name }: DeskPageRequest<'name'>): Promise<StreamableFile> {
    const { template } = this.kinds.of(me).find((kind) => kind.name === name) ?? {};
    if (!template) throw new DomainError('route_not_found', 'There is no such page.');
    return csvResponse(owner, name, template, noRows());
  }

  @Get(':id')
  async show(@DeskPageRequest() { me, id }: Pick<DeskPageRequest, 'me' | 'id'>): Promise<Page> {
    const run = await this.find(me, id);
    const kind = this.kinds.find(run.kind);
    return runPage(run, kind, await this.displayOptionsFor(me, kind));
  }

  @PostForm(':id/check')
  async check(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const { run, kind } = await this.findOpen(me, id);
    const display = await this.displayOptionsFor(me, kind);
    const check = async () => {
      await this.runs.check(id, kind.files, readOptions(fields, kind, run, display));
      return seeOther(importPath(id));
    };
    return submitForm(check, () => refusedPage(run, kind, display));
  }

  @PostForm(':id/apply')
  async apply(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const { run, kind } = await this.findOpen(me, id);
    // The same form again, after a double click or "Back".
    if (run.appliedBy === actorOf(me) && run.state !== 'checked') return seeOther(importPath(id));
    const display = await this.displayOptionsFor(me, kind);
    const apply = async () => {
      const options = readOptions(fields, kind, run, display);
      const checked = { ...run.options, ...headingsOf(run.reading?.headings) };
      if (checksIn(fields) === run.checks && !isDeepStrictEqual(options, checked)) {
        await this.runs.check(id, kind.files, options);
        return seeOther(importPath(id), { kind: 'warn', text: RECHECKED_NOTICE });
      }
      await this.runs.apply(id, checksIn(fields), kind.files, actorOf(me));
      return seeOther(importPath(id));
    };
    const isOld = (error: unknown) => error instanceof DomainError && !error.errors;
    return submitForm(apply, (error) =>
      isOld(error) ? this.show({ me, id }) : refusedPage(run, kind, display),
    );
  }

  @PostForm(':id/cancel')
  async cancel(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    // The same form again, after a double click or "Back".
    if ((await this.find(me, id)).state === 'cancelled') return seeOther(importPath(id));
    const cancel = async () => {
      await this.runs.cancel(id, checksIn(fields));
      return seeOther(importPath(id));
    };
    return submitForm(cancel, () => this.show({ me, id }));
  }

  @Get(':id/refused.csv')
  refused(@DeskPageRequest() { owner, me, id }: DeskPageRequest): Promise<StreamableFile> {
    return this.file(owner, me, id, 'refused');
  }

  @Get(':id/changes.csv')
  changes(@DeskPageRequest() { owner, me, id }: DeskPageRequest): Promise<StreamableFile> {
    return this.file(owner, me, id, 'changes');
  }

  private async displayOptionsFor({ timeZone }: DeskPerson, kind?: DeskImportKind): Promise<DisplayOptions> {
    const plans = kind?.options.includes('plan') ? await this.subscriptions.plans() : [];
    return { timeZone, currency: this.settings.currency, plans };
  }

  private async find(me: DeskPerson, id: number): Promise<ImportRun> {
    const run = await this.runs.find(id);
    requirePermission(me, this.kinds.find(run.kind)?.permission ?? 'import all files');
    return run;
  }

  private async findOpen(me: DeskPerson, id: number) {
    const run = await this.find(me, id);
    const kind = this.kinds.find(run.kind);
    if (!kind) throw new DomainError('import_not_found', 'Files of this kind are no longer imported here.');
    return { run, kind };
  }

  private async file(
    owner: ThreadOwner,
    me: DeskPerson,
    id: number,
    file: ImportPiece['file'],
  ): Promise<StreamableFile> {
    await this.find(me, id);
    return fileResponse(
      owner,
      `import-${id}-${file}.csv`,
      'text/csv; charset=utf-8',
      this.runs.file(id, file),
    );
  }

  private async listPage(me: DeskPerson, kind: string, fields: FormFields = {}): Promise<Page> {
    const query = RUNS.read(fields);
    const kinds = this.kinds.of(me);
    const kindFilter = may(me, 'import all files') ? {} : { kinds: kinds.map(({ name }) => name) };
    const found = await RUNS.find((limit) => this.runs.history({ ...kindFilter, before: query.mark }, limit));
    return importsPage({ kind, kinds, query, found });
  }
}

async function* noRows(): AsyncGenerator<never> {}

const RECHECKED_NOTICE =
  'You changed the options, so the file was checked again. Nothing is applied yet: look at the result first.';

/** The form of a run with options that cannot be read. They are not checked, so nothing can be applied. */
const refusedPage = (run: ImportRun, kind: DeskImportKind, displayOptions: DisplayOptions): Page =>
  runPage(run, kind, displayOptions, { canApply: false });

const checksIn = (fields: FormFields) => Number(textIn(fields, 'checks')) || 0;

const headingsOf = (headings: readonly MappedHeading[] = []) =>
  headings.length > 0 ? { headings: [...headings] } : {};

/** A heading without a field is read as before. */
function readHeadings(fields: FormFields, { reading }: ImportRun): MappedHeading[] {
  const { headings, columns } = reading ?? { headings: [], columns: [] };
  const taken = new Set<string>();
  return headings.map(([heading, before], position) => {
    const name = headingField(position);
    const column = fields[name] === undefined ? before : textIn(fields, name);
    if (column !== '' && !columns.includes(column)) throw fault(name, 'is no column of such a file');
    if (taken.has(column)) throw fault(name, 'is chosen for another heading too');
    if (column !== '') taken.add(column);
    return [heading, column];
  });
}

function readOptions(
  fields: FormFields,
  { options }: DeskImportKind,
  run: ImportRun,
  { timeZone, plans }: DisplayOptions,
): RunOptions {
  const names = ['countedAt', 'from', 'to', 'maxChange', 'courier', 'plan', 'newDeliveryCharge'] as const;
  const supported = Object.entries(readTexts(...names)(fields)).flatMap(([name, text]) =>
    options.includes(name as keyof RunOptions) ? [[name, text.trim()] as const] : [],
  );
  const { maxChange = '', courier, plan, newDeliveryCharge, ...times } = Object.fromEntries(supported);
  if (plan && plans.every(({ code }) => code !== plan)) throw fault('plan', 'is no plan any more');
  const ticked = [fields.options ?? []].flat();
  const read: RunOptions = {
    ...Object.fromEntries(
      options.filter((name) => name in TICKS && ticked.includes(name)).map((name) => [name, true]),
    ),
    ...Object.fromEntries(
      Object.entries(readTimes(times, timeZone)).map(([name, at]) => [name, at!.toISOString()]),
    ),
    ...(courier && { courier }),
    ...(plan && { plan }),
    ...(newDeliveryCharge && {
      newDeliveryCharge: readTypedPrice(newDeliveryCharge, (message) => fault('newDeliveryCharge', message)),
    }),
    ...headingsOf(readHeadings(fields, run)),
  };
  if (maxChange === '') return read;
  const percent = parsePercent(maxChange);
  if ('fault' in percent) throw fault('maxChange', percent.fault);
  return percent.hundredths === MAX_CHANGE * 100 ? read : { ...read, maxChange: percent.hundredths / 100 };
}

function fault(field: string, message: string): DomainError {
  return validationFailed([{ field, code: 'required', message }]);
}
