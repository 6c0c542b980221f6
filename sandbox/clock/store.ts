// SQL of the sandbox's clock.
import { type Executor, statement } from '../../src/storage/index.ts'

const selectOffset = statement<{ offset_ms: bigint }>('select offset_ms from sandbox.clock')

/** How far the sandbox's clock is ahead of the machine's clock, in milliseconds. */
export async function findOffset(db: Executor): Promise<number> {
  const [row] = await db.run(selectOffset)
  if (row === undefined) throw new Error('the sandbox has lost its clock: sandbox.clock is empty')
  return Number(row.offset_ms)
}

/** The simulation reads this statement, because it must notice when the clock jumps. */
export const updateOffset = statement<{ offset_ms: bigint }>(`
  update sandbox.clock set offset_ms = $2 where offset_ms = $1 and $2 >= offset_ms returning offset_ms`)

/** Increases the offset. False if another process has changed it since it was `known`. */
export async function growOffset(db: Executor, known: number, offset: number): Promise<boolean> {
  return (await db.run(updateOffset, [BigInt(known), BigInt(offset)])).length === 1
}
