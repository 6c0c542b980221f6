// Eupago: Multibanco references and MB WAY.
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { Connection, Driver, DriverTools, WebhookReceiver } from '../../src/connections/index.ts'
import { type Json, textOf } from '../shared/texts.ts'
import { createClient } from './client.ts'
import { mobileWalletOf } from './mobile-wallet.ts'
import { paidUnder, referencesOf } from './references.ts'
import type { Eupago } from './requests.ts'
import { endIn, isUnknownReference } from './rules.ts'
import { settings, settingsOf } from './settings.ts'

class NotShownYet extends Error {
  override readonly name = 'Eupago does not show the payment yet'
}

/** Webhooks 2.0 have a signature and can be encrypted. The driver only uses them as a reason to ask Eupago. */
const webhook: WebhookReceiver = {
  verify(connection, { headers, rawBody }) {
    const { webhookKey } = settingsOf(connection)
    const text = Buffer.from(rawBody).toString('utf8')
    const { data } = JSON.parse(text) as Json
    // The signature of an encrypted notification covers the base64 text (observed).
    const isSigned = isSame(headers['x-signature'], webhookKey, typeof data === 'string' ? data : rawBody)
    if (!isSigned) return { kind: 'refused' }
    const iv = headers['x-initialization-vector'] ?? ''
    const { identifier, trid, status, method } = transactionIn(
      typeof data === 'string' ? decrypted(webhookKey, iv, data) : text,
    )
    const said = { identifier: textOf(identifier), status: textOf(status), method: textOf(method) }
    return { kind: 'accepted', id: `${textOf(trid)} ${said.status}`, payload: JSON.stringify(said) }
  },
  async handle(connection, { payload }, tools) {
    const { identifier = '', status = '', method = '' } = JSON.parse(payload) as Record<string, string>
    const { requests, notices, logger } = tools
    const known = await requests.find(identifier)
    // Other systems can use the same channel. The gateway asks about refunds regularly, so their notifications are
    // not needed.
    if (known === undefined || method === 'RB:PT')
      return logger.info({ method }, 'An Eupago notification belongs to no payment of this gateway')
    const { key, rail } = known
    const ended = endIn(status)
    if (rail === 'mobileWallet') {
      if (ended !== undefined) await requests.record(key, 'ended', { ids: { ended } })
      await notices.mobileWallet({ kind: 'payment', key })
    }
    if (rail !== 'referenceNetwork' || ended !== undefined) return
    const payments = await paidUnder(eupagoOf(connection, tools), key)
    if (payments.length === 0 && /^paid$/i.test(status)) throw new NotShownYet()
    for (const payment of payments) await notices.references.receive(payment)
  },
}

/** The documents call the field `transactions`; real notifications have `transaction`. */
function transactionIn(text: string): Json {
  const body = JSON.parse(text) as Json
  return (body.transaction ?? body.transactions ?? body) as Json
}

/** Decrypts with AES-256-CBC. The key is the channel's 32 characters as bytes (observed). */
function decrypted(key: string, iv: string, data: string): string {
  const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key), Buffer.from(iv, 'base64'))
  return Buffer.concat([decipher.update(data, 'base64'), decipher.final()]).toString('utf8')
}

function isSame(signature = '', key: string, signed: string | Uint8Array): boolean {
  const given = Buffer.from(signature, 'base64')
  const right = createHmac('sha256', key).update(signed).digest()
  return key !== '' && given.length === right.length && timingSafeEqual(given, right)
}

/** Written from public documents and clients. Tested only against a simulation of Eupago. */
export const eupago: Driver = {
  name: 'eupago',
  rails: ['mobileWallet', 'referenceNetwork'],
  proven: false,
  settings,
  open(connection, tools) {
    const deps = eupagoOf(connection, tools)
    return { mobileWallet: mobileWalletOf(deps), referenceNetwork: referencesOf(deps) }
  },
  async check(connection, tools) {
    const { client } = eupagoOf(connection, tools)
    // If Eupago answers that this reference does not exist, it has accepted the key.
    const { estado } = await client.older('/multibanco/info', { referencia: '000000000' })
    const isKey = estado === 0 || isUnknownReference(estado)
    await client.transactionsOf('comporta-check')
    return [
      { name: 'API key', ok: isKey, detail: isKey ? 'accepted' : `Eupago answered ${estado}` },
      { name: 'credentials', ok: true, detail: 'the management API accepts them' },
    ]
  },
  webhook,
  connects: {
    test: { api_base: 'https://sandbox.eupago.pt' },
    byHand: [
      'In the backoffice of Eupago, open Channels, Channel listing, and edit the channel.',
      'Choose webhook 2.0, enter the address above, and switch on every status. Encryption is optional.',
      'Renew the client id and secret within a year: they expire.',
      'Make one payment with each method and one refund before you go live.',
    ],
  },
}

function eupagoOf(connection: Connection, tools: DriverTools): Eupago {
  const { requests, clock, logger } = tools
  return { client: createClient(settingsOf(connection), tools), requests, clock, logger }
}
