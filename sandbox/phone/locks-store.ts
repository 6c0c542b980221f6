// SQL of wrong PINs and locked phones.
import { type Executor, statement } from '../../src/storage/index.ts'
import { wrongPinsMax } from './model.ts'

const countWrong = statement<{ wrong_pins: number }>(`
  insert into sandbox.phone_locks (phone, wrong_pins) values ($1, 1)
  on conflict (phone) do update set wrong_pins = least(sandbox.phone_locks.wrong_pins + 1, $2)
  returning wrong_pins`)

/** Counts a wrong PIN. Returns the number of tries that are left. */
export async function countWrongPin(db: Executor, phone: string): Promise<number> {
  const [row] = await db.run(countWrong, [phone, wrongPinsMax])
  return wrongPinsMax - (row?.wrong_pins ?? 0)
}

const selectWrong = statement<{ wrong_pins: number }>(
  'select wrong_pins from sandbox.phone_locks where phone = $1',
)

/** The number of tries that are left, 0 if the phone is locked. */
export async function pinTriesLeft(db: Executor, phone: string): Promise<number> {
  const [row] = await db.run(selectWrong, [phone])
  return wrongPinsMax - (row?.wrong_pins ?? 0)
}

const deleteWrong = statement('delete from sandbox.phone_locks where phone = $1 and ($2 or wrong_pins < $3)')

/** Forgets wrong PINs after a right one. For a locked phone, only if `unlocks` is true. */
export async function forgetWrongPins(db: Executor, phone: string, unlocks: boolean): Promise<void> {
  await db.run(deleteWrong, [phone, unlocks, wrongPinsMax])
}
