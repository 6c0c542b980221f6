// The number of the cell: chosen before the first merchant, and part of every identifier.
import { cellMax } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { type Database, findFirst, hasRows, statement } from '../storage/index.ts'
import { cell, isLiveSql, silentSecondsMax } from './model.ts'

/** The numbers of wallets are different in each cell. */
const walletsPerCell = 1_000_000_000
const firstWallet = 1000

const findCell = findFirst(cell, () => [])`select ${cell.list()} from cell`

/** 0 to {@link cellMax}. */
export async function readCell(database: Database): Promise<number> {
  return (await findCell(database))?.number ?? 0
}

const keepOthersOut = statement('lock table wallets, gateway_processes in share row exclusive mode')

const hasLiveProcesses = hasRows(() => [])`
  select id from gateway_processes where ${isLiveSql} limit 1`

const changeNumber = hasRows((number: number) => [number])`
  update cell set number = $1 where not exists (select from wallets where id > 0)
    and not exists (select from rail_connections) returning number`

/** A killed process leaves its row, so it counts as running until it was silent for this time. */
export const stopFirst = refuse(
  'illegal_state',
  `the gateway runs: stop all its processes; after a crash, wait ${silentSecondsMax} seconds`,
)

/**
 * Sets the number of a cell without wallets and connections, because identifiers that were given out cannot change. Processes
 * read the number when they start, so none may be alive. Refusals: invalid_parameter, illegal_state.
 */
export function setCell(database: Database, number: number): Promise<Result<void>> {
  return database.transaction(async (tx) => {
    if (!Number.isInteger(number) || number < 0 || number > cellMax)
      return refuse('invalid_parameter', `the number of a cell must be a whole number from 0 to ${cellMax}`)
    await tx.run(keepOthersOut)
    if (await hasLiveProcesses(tx)) return stopFirst
    if (!(await changeNumber(tx, number)))
      return refuse(
        'illegal_state',
        'this cell already has wallets or connections, and their identifiers contain its number',
      )
    const first = BigInt(number) * BigInt(walletsPerCell) + BigInt(firstWallet)
    await tx.run(statement(`alter table wallets alter column id restart with ${first}`))
    return ok(undefined)
  })
}
