import { SchemaPart } from '../schema-part.js';

/** The entries with one reference, in any spelling: the repository of wallets has the same expression. */
export class PaymentReferences1796083200002 extends SchemaPart {
  protected override readonly statements = [
    `CREATE INDEX wallet_entries_reference ON wallet_entries
       (ltrim(substring(upper(CASE WHEN against = 'gateway' THEN key ELSE note END)
                        FROM '[A-Z0-9]*[0-9][A-Z0-9]*'), '0'))
       WHERE kind IN ('top_up', 'adjustment') AND against <> 'tds'`,
  ];
}
