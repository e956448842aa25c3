import { applyDecorators, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { OptionalText, RequiredText } from '../../../platform/validation/body-fields.decorator.js';
import { Transform } from '../../../platform/validation/named-fields.js';
import { ClientFinderService } from '../client-finder.service.js';

const WHICH = 'number, name (or its start), domain or e-mail address';

/** The client in the path of a route. */
export const CLIENT = {
  name: 'id',
  description: `The client: its ${WHICH}, percent-encoded.`,
  example: '3',
};

@Injectable()
class ClientPipe implements PipeTransform<string, Promise<number>> {
  constructor(private readonly clients: ClientFinderService) {}

  transform(text: string): Promise<number> {
    return this.clients.findExisting(text);
  }
}

/** The number of the client. */
export const ClientParam = () => Param(CLIENT.name, ClientPipe);

const orNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'number' ? String(value) : value,
);

const textOf = (which: string) => ({ max: 254, description: `${which}: its ${WHICH}.` });

/** A client in a body or a query. `ClientFinderService` finds it. */
export const OptionalClient = (which: string) =>
  applyDecorators(orNumber, OptionalText({ ...textOf(which), example: 'Mango Market', isId: true }));

export const RequiredClient = () =>
  applyDecorators(orNumber, RequiredText({ ...textOf('The client'), example: 'Mango Market' }));
