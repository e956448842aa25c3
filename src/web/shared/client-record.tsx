import {
  CLIENT_FIELDS,
  clientAsText,
  type ClientFieldName,
  clientTyped,
  type ClientValues,
  clientWords,
} from '../../modules/clients/client-fields.js';
import type { Settings } from '../../platform/settings/settings.js';
import type { Described } from '../../platform/validation/described-field.js';
import { Button, FormCard } from '../../shared/ui/components/controls.js';
import { Card, Facts } from '../../shared/ui/components/layout.js';
import { fieldFacts, RecordFields } from '../../shared/ui/record.js';

interface Props {
  client: ClientValues;
  fields?: Described<ClientFieldName>;
  names: ClientFieldName[];
  /** The form sends the values of these fields back, to notice another person's change. */
  reviewed: ClientFieldName[];
  settings: Pick<Settings, 'currency' | 'timeZone'>;
}

/** The current values beside the form. They help if another person changed them in the meantime. */
export const ClientRecord = ({ client, fields = CLIENT_FIELDS, names, reviewed, settings }: Props) => (
  <div class="columns">
    <Card title="Current details">
      <Facts of={fieldFacts(fields, names, clientWords(client, settings))} />
    </Card>
    <FormCard title="Change the details" hidden={{ shown: clientAsText(client, reviewed) }}>
      <RecordFields of={fields} names={names} typed={clientTyped(client)} />
      <Button kind="primary">Save the details</Button>
    </FormCard>
  </div>
);
