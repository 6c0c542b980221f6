// The database as a process sees it: slow, and lost when the process dies.
import type { Database, Executor, Lookup, Statement } from '../../../../src/storage/index.ts'
import { batchedFind } from '../../../../src/storage/reads/batched.ts'
import type { NoticeBoard } from '../machine/board.ts'
import type { Life } from './life.ts'

export function databaseOf(life: Life, shared: Database, notices: NoticeBoard): Database {
  const read: Database['read'] = (text, parameters) =>
    life.ask('statement', text, () => shared.read(text, parameters))
  /** If a process dies in a transaction, the owner of the connection rolls it back. */
  const within = (db: Executor): Executor => ({
    run: (statement, parameters) =>
      life.ask('statement', statement.text, () => db.run(statement, parameters)),
    find: (lookup, key) => life.ask('statement', lookup.text, () => db.find(lookup, key)),
  })
  return {
    kind: shared.kind,
    kysely: shared.kysely,
    read,
    run: <Row>(statement: Statement<Row>, parameters?: readonly unknown[]) =>
      life.ask('statement', statement.text, () => shared.run(statement, parameters)),
    find: batchedFind(shared.kind, read) as <Row>(
      lookup: Lookup<Row>,
      key: readonly unknown[],
    ) => Promise<Row | undefined>,
    transaction: (work) =>
      life.ask('transaction', '', () =>
        life.inTransaction(() => shared.transaction((tx) => life.orDeath(work(within(tx))))),
      ),
    connected: (work) =>
      life.ask('transaction', '', () =>
        life.inTransaction(() => shared.connected((db) => life.orDeath(work(within(db))))),
      ),
    onFailover: (listener) => shared.onFailover(listener),
    listen: (channel, onNotice) => notices.listen(life, channel, onNotice),
    notify: (channel, payload) => life.ask('statement', 'notify', () => shared.notify(channel, payload)),
    ping: () => life.ask('statement', 'ping', () => shared.ping()),
    close: async () => undefined,
  }
}
