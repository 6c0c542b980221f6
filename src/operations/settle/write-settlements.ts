// Writes settlements by one statement, and sends the events of those that won on their way.
import { eventRow, type NewEvent, type OfferedEvent } from '../../callbacks/index.ts'
import type { Ledger } from '../../ledger/index.ts'
import type { Database } from '../../storage/index.ts'
import { type SettledRow, type SettleStatements, settlementParameters } from './settle-sql.ts'

/** `answered`: it settled, and its answer was kept with it. */
export type SettleOutcome = 'lost' | 'settled' | 'answered'

export interface WriteDeps {
  readonly database: Database
  readonly ledger: Ledger
  readonly callbacks: { offer(event: NewEvent): OfferedEvent }
}

/** Settles each row whose guard still holds; answers per row what became of it. Its events are on their way then. */
export async function writeSettlements(
  { database, ledger, callbacks }: WriteDeps,
  statements: SettleStatements,
  rows: readonly SettledRow[],
): Promise<SettleOutcome[]> {
  const offers = new Map<NewEvent, OfferedEvent>()
  const won = new Map<string, SettleOutcome>()
  const offered = (event: NewEvent | undefined) => {
    if (event === undefined) return eventRow(undefined)
    const offer = callbacks.offer(event)
    offers.set(event, offer)
    return offer.columns
  }
  try {
    const { kind, values } = await settlementParameters(ledger, rows, offered)
    for (const { id, is_answered } of await database.run(statements[kind], values))
      won.set(id, is_answered ? 'answered' : 'settled')
  } finally {
    for (const { settled, event, extraEvents } of rows) {
      const recorded = won.has(settled.id)
      for (const each of event === undefined ? extraEvents : [event, ...extraEvents]) {
        if (recorded) offers.get(each)?.committed()
        else offers.get(each)?.abandoned()
      }
    }
  }
  return rows.map(({ settled }) => won.get(settled.id) ?? 'lost')
}
