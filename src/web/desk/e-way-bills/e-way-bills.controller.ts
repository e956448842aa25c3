import { Get, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import { E_WAY_BILL_FIELDS } from '../../../modules/invoices/e-way-bill-import.js';
import { documentNotFound, TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import { readTexts, submitForm, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { firstRows } from '../../../platform/lists/bounded-lists.js';
import { fileResponse } from '../../../platform/http/file-response.js';
import { DeskPageRequest, DeskPages } from '../desk-pages.js';
import { eWayBillPath, orderPath } from '../paths.js';
import { eWayBillPage, eWayBillsPage } from './e-way-bills-page.js';

type One = DeskPageRequest<'number'>;

const MAX_WAITING = 50;

const readForm = readTexts(...E_WAY_BILL_FIELDS);

/** Transport and numbers of e-way bills, for those who send the goods. */
@DeskPages('e-way-bills')
export class EWayBillsController {
  constructor(
    private readonly bills: EWayBillsService,
    private readonly documents: TaxDocumentsService,
  ) {}

  @Get()
  async list(): Promise<Page> {
    const waiting = await firstRows(this.bills.waiting(MAX_WAITING));
    return eWayBillsPage({ ...waiting, gstins: await this.bills.gstins() });
  }

  @Get('file.json')
  file(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    const file = this.bills.file(textIn(fields, 'gstin') || undefined);
    return fileResponse(owner, 'e-way-bills.json', 'application/json', file);
  }

  @Get(':number')
  async show(@DeskPageRequest() { number }: One): Promise<Page> {
    return eWayBillPage(await this.findInvoice(number));
  }

  @PostForm(':number')
  async save(@DeskPageRequest() { me, number, fields }: One): Promise<Reply> {
    const { orderNumber } = await this.findInvoice(number);
    return submitForm(
      async () => {
        const typed = readForm(fields);
        await this.bills.record(number, typed, actorOf(me));
        const recorded =
          typed.e_way_bill.trim() === ''
            ? `The transport of ${number} is recorded. Its e-way bill has no number yet.`
            : `The e-way bill of ${number} is recorded.`;
        return seeOther(orderPath(orderNumber!), recorded);
      },
      () => this.show({ number } as One),
    );
  }

  @PostForm(':number/end')
  async end(@DeskPageRequest() { me, number, fields }: One): Promise<Reply> {
    await this.findInvoice(number);
    return submitForm(
      async () => {
        await this.bills.end(number, textIn(fields, 'remark'), actorOf(me));
        return seeOther(eWayBillPath(number), 'It is recorded.');
      },
      () => this.show({ number } as One),
    );
  }

  private async findInvoice(number: string) {
    const document = await this.documents.find(number);
    if (document.kind !== 'invoice') throw documentNotFound();
    return document;
  }
}
