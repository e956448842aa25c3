import { Param, Post } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { ClientFinderService } from '../../../modules/clients/client-finder.service.js';
import { OrderReturnsService } from '../../../modules/fulfilment/returns/order-returns.service.js';
import { noteSubject, NotesService } from '../../../modules/notes/notes.service.js';
import { OrderDeskService } from '../../../modules/orders/records/order-desk.service.js';
import { idIn, redirectWithWarning, textIn } from '../../../shared/ui/forms.js';
import type { SeeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { type DeskPerson, requirePermission } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { clientPath, orderPath, returnPath } from '../paths.js';

type One = DeskPageRequest<'kind' | 'subject'>;

/** Notes about orders, returns and clients that the person may see. */
@DeskPages('notes/:kind/:subject')
export class NotesController {
  constructor(
    private readonly notes: NotesService,
    private readonly orders: OrderDeskService,
    private readonly returns: OrderReturnsService,
    private readonly clients: ClientFinderService,
  ) {}

  @PostForm()
  async add(@DeskPageRequest() { me, kind, subject, fields }: One): Promise<SeeOther> {
    const of = await this.subjectOf(me, kind, subject);
    return redirectWithWarning(of.path, ['conflict', 'invalid_value'], async () => {
      await this.notes.add(of.subject, textIn(fields, 'text'), actorOf(me));
      return 'The note is added.';
    });
  }

  @Post(':note/remove')
  async remove(
    @DeskPageRequest() { me, kind, subject }: One,
    @Param('note') note: string,
  ): Promise<SeeOther> {
    const of = await this.subjectOf(me, kind, subject);
    return redirectWithWarning(of.path, ['conflict'], async () => {
      await this.notes.remove(of.subject, idIn(note), actorOf(me));
      return 'The note is removed.';
    });
  }

  /** Throws if the subject does not exist, or if this person may not see it. */
  private async subjectOf(
    me: DeskPerson,
    kind: string,
    key: string,
  ): Promise<Record<'subject' | 'path', string>> {
    switch (kind) {
      case 'order': {
        const { orderNumber, paidAt } = await this.orders.orderPage(key);
        if (paidAt === null) requirePermission(me, 'see all orders');
        return { subject: noteSubject('order', orderNumber), path: orderPath(orderNumber) };
      }
      case 'return': {
        const { number } = await this.returns.show(key);
        return { subject: noteSubject('return', number), path: returnPath(number) };
      }
      case 'client': {
        requirePermission(me, 'see clients');
        const id = idIn(key);
        await this.clients.check(id);
        return { subject: noteSubject('client', id), path: clientPath(id) };
      }
      default:
        throw new DomainError('route_not_found', 'There is no such page.');
    }
  }
}
