// A merchant's receiver of callbacks. At random it fails, hangs, gives wrong answers, or verifies.
import type { Chance } from '../chance.ts'
import type { Receipt, Reply, Witness } from './notes.ts'

export interface Receiver {
  receive(path: string, headers: Receipt['headers'], body: string): Reply
  behave(): void
}

export const receiverPath = (walletId: number) => `/callbacks/${walletId}`

export function createReceiver(witness: Pick<Witness, 'received'>, chance: Chance): Receiver {
  let behaves = false
  const strange = (): Reply => {
    const kind = chance.below(10)
    if (kind < 4) return chance.pick([500, 502, 503, 404, 301, 401])
    if (kind < 6) return 'cut'
    return kind < 7 ? 'hang' : 200
  }
  return {
    receive(path, headers, body) {
      const reply = behaves || chance.happens(0.65) ? 200 : strange()
      const walletId = Number(/^\/callbacks\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
      witness.received({ walletId, headers, body, reply })
      return reply
    },
    behave() {
      behaves = true
    },
  }
}
