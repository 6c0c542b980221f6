// The post box: a simulated mail server that keeps every mail.
import type { Randomness } from '../../src/kernel/random.ts'
import type { Keyring } from '../../src/kernel/sealing.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { CarrierAnswer, MailCarrier } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { deferOnce, keepMail } from './store.ts'

/** Mail to these addresses is refused for good, or only at the first attempt. */
const refusedPattern = /^refused(?:[+.-]|@)/i
const laterPattern = /^later(?:[+.-]|@)/i

export function createPostBox({
  database,
  clock,
  ...keys
}: {
  readonly database: Database
  readonly clock: Clock
  readonly keyring: Keyring
  readonly random: Randomness
}): MailCarrier {
  return {
    async send({ raw, envelope, messageId, opensAccount, parts }): Promise<CarrierAnswer> {
      const { to } = envelope
      if (refusedPattern.test(to)) return { kind: 'refused', status: 550, text: '550 5.1.1 No such mailbox' }
      if (laterPattern.test(to) && (await deferOnce(database, messageId)))
        return { kind: 'failed', status: 451, text: '451 4.7.1 Greylisted, try again later' }
      const headers = headersIn(raw)
      const kept = { messageId, recipient: to, headers, takenAt: clock.now(), opensAccount, ...parts }
      await keepMail(database, keys, kept)
      return { kind: 'taken', status: 250, text: '250 2.0.0 Kept in the post box' }
    },
  }
}

/** The headers with one line for each. */
function headersIn(raw: Buffer): string {
  const text = raw.toString('utf8')
  const end = text.search(/\r?\n\r?\n/)
  return text
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .replaceAll('\r', '')
}
