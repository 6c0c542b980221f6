// Postings and events for tests of the chain, without the gateway.
import { randomBytes, randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { recordEvents } from '../../src/callbacks/index.ts'
import { type Chain, createChain } from '../../src/chain/index.ts'
import { type Clock, instant, systemClock } from '../../src/kernel/time.ts'
import { openAccount } from '../../src/ledger/index.ts'
import { type Database, type Executor, statement } from '../../src/storage/index.ts'

const insertPosting = statement(`
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
  values ($1, $2, 'settle', $3, $4, $5, now())`)

export function newKeyring() {
  return { current: 1, keys: new Map([[1, new Uint8Array(randomBytes(32))]]) }
}

/**
 * The chain of a separate process. `errors` collects background errors. Waits `openMsMax` for transactions of other
 * tests on the server.
 */
export function chainOf(
  database: Database,
  { keyring = newKeyring(), rowsMax = 10_000, openMsMax = 20_000, clock = systemClock as Clock } = {},
): Chain & { errors: string[] } {
  const errors: string[] = []
  const onError = (error: unknown) => errors.push((error as Error).message)
  const metrics = new Registry()
  return { ...createChain({ database, clock, keyring, metrics, onError, rowsMax, openMsMax }), errors }
}

export class Books {
  readonly database: Database
  readonly #accounts = new Map<bigint, Promise<bigint>>()

  constructor(database: Database) {
    this.database = database
  }

  #account(walletId: bigint): Promise<bigint> {
    const known = this.#accounts.get(walletId)
    if (known !== undefined) return known
    const kind = walletId === 0n ? 'clearing:CC' : 'merchant'
    const account = openAccount(this.database, { walletId, kind })
    this.#accounts.set(walletId, account)
    return account
  }

  /** Two postings and an event, in a transaction that stays open until `commit`. */
  async pay(
    walletId: bigint,
    { db, commit }: { db?: Executor; commit?: () => Promise<unknown> } = {},
  ): Promise<string> {
    const operationId = randomUUID()
    const [clearing, merchant] = [await this.#account(0n), await this.#account(walletId)]
    const other = await this.#account(9n)
    const write = async (tx: Executor) => {
      await tx.run(insertPosting, [walletId, operationId, clearing, merchant, 975n])
      await tx.run(insertPosting, [walletId, operationId, clearing, other, 25n])
      await recordEvents(tx, [
        {
          id: randomUUID(),
          walletId,
          kind: 'operation',
          subject: operationId,
          event: 'COMPLETED',
          payload: { operation_id: operationId, amount: 10 },
          endpoint: 'wallet',
          hasEndpoint: false,
          createdAt: instant(Date.now()),
        },
      ])
      await commit?.()
    }
    await (db === undefined ? this.database.transaction(write) : write(db))
    return operationId
  }

  async run<Row = Record<string, never>>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.database.run(statement<Row>(sql), parameters)
  }
}
