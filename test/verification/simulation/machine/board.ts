// Delivers notices of the database to all living processes.
import type { Database } from '../../../../src/storage/index.ts'
import { owners, type VirtualTime } from './time.ts'

interface Listener {
  readonly ended: boolean
}

export interface NoticeBoard {
  listen(listener: Listener, channel: string, onNotice: (payload: string) => void): Promise<void>
  clear(): void
}

const lateMsMax = 20
const lostOfHundred = 5

export function createNoticeBoard(database: Database, time: VirtualTime): NoticeBoard {
  const heard = new Set<string>()
  const listeners: { listener: Listener; channel: string; onNotice: (payload: string) => void }[] = []

  async function hear(channel: string): Promise<void> {
    if (heard.has(channel)) return
    heard.add(channel)
    await database.listen(channel, (payload) => {
      for (const { listener, channel: wanted, onNotice } of listeners) {
        if (wanted !== channel || listener.ended || time.chance.below(100) < lostOfHundred) continue
        owners.run(listener, () => time.plan(() => onNotice(payload), time.chance.below(lateMsMax)))
      }
    })
  }

  return {
    async listen(listener, channel, onNotice) {
      await hear(channel)
      listeners.push({ listener, channel, onNotice })
    },
    clear() {
      listeners.length = 0
    },
  }
}
