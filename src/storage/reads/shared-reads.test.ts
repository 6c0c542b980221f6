// Equal concurrent reads share one later read.
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sharedRead } from './shared-reads.ts'

/** Reads that end on demand, in order. */
function heldReads() {
  const begun: { asked: string; end: (answer: string) => void; fail: (error: Error) => void }[] = []
  const read = (asked: string) =>
    new Promise<string>((resolve, reject) => begun.push({ asked, end: resolve, fail: reject }))
  return { begun, ask: sharedRead<string, string>((asked) => asked, read) }
}

it('reads once for all earlier callers, and again for later ones', async () => {
  const { begun, ask } = heldReads()
  const first = [ask('a'), ask('a')]
  await endOfTurn()
  const later = [ask('a'), ask('a')]
  await endOfTurn()
  expect(begun.map(({ asked }) => asked)).toEqual(['a'])
  begun[0]?.end('old')
  expect(await Promise.all(first)).toEqual(['old', 'old'])
  expect(begun).toHaveLength(2)
  begun[1]?.end('new')
  expect(await Promise.all(later)).toEqual(['new', 'new'])
})

it('reads different names separately at the same time', async () => {
  const { begun, ask } = heldReads()
  const answers = [ask('a'), ask('b')]
  await endOfTurn()
  for (const { asked, end } of begun) end(`${asked} read`)
  expect(await Promise.all(answers)).toEqual(['a read', 'b read'])
})

it('reads again after a failure, for waiting callers too', async () => {
  const { begun, ask } = heldReads()
  const failing = ask('a')
  await endOfTurn()
  const waiting = ask('a')
  begun[0]?.fail(new Error('out of reach'))
  await expect(failing).rejects.toThrow('out of reach')
  begun[1]?.end('read')
  expect(await waiting).toBe('read')
  const last = ask('a')
  await endOfTurn()
  begun[2]?.end('again')
  expect(await last).toBe('again')
})
