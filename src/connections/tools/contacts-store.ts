// The SQL of the last answer and last error of each provider.
import { toTimestamp } from '../../kernel/time.ts'
import { type Executor, findAll, rowSet, statement } from '../../storage/index.ts'
import { type ContactRow, railContacts } from '../model.ts'

const contactSet = rowSet({ connection_id: 'bigint', kind: 'text', at: 'timestamptz', said: 'text' })

const upsertContacts = statement(`
  insert into rail_contacts (connection_id, kind, at, said)
  select connection_id, kind, at, said from (${contactSet.source}) as noted order by connection_id, kind
  on conflict (connection_id, kind) do update set at = excluded.at, said = excluded.said
  where excluded.at > rail_contacts.at`)

export async function writeContacts(db: Executor, contacts: readonly ContactRow[]): Promise<void> {
  const rows = contacts.map(({ connectionId, kind, at, said }) => ({
    ...{ connection_id: connectionId, kind, said },
    at: toTimestamp(at),
  }))
  await db.run(upsertContacts, contactSet.parameters(rows))
}

export const listContacts = findAll(railContacts, () => [])`
  select ${railContacts.list()} from rail_contacts`
