// SIBS notifications are encrypted. The driver acknowledges them, and only uses them as a reason to ask SIBS.
import { createDecipheriv } from 'node:crypto'
import type {
  Connection,
  DriverTools,
  WebhookNotification,
  WebhookReceiver,
} from '../../src/connections/index.ts'
import type { ProviderReferences } from '../../src/rails/index.ts'
import type { Mandates } from './mobile-wallet/mandates.ts'
import { keyOf } from './rules.ts'
import { settingsOf } from './settings.ts'

const ivBytes = 12
const tagBytes = 16

interface Notified {
  readonly ours?: string | undefined
  readonly transactionId?: string | undefined
  readonly mandateId?: string | undefined
  readonly mandateRefused?: boolean | undefined
}

interface SpgNotification {
  readonly notificationID?: string
  readonly transactionID?: string
  readonly merchant?: { readonly transactionId?: string; readonly merchantTransactionId?: string }
  readonly mbwayMandate?: {
    readonly mandateIdentification?: string
    readonly mandateAction?: string
    readonly mandateActionStatus?: string
  }
}

interface Asked {
  readonly mandates: Mandates
  readonly references: ProviderReferences
}

export function webhookReceiver(
  askedOf: (connection: Connection, tools: DriverTools) => Asked,
): WebhookReceiver {
  return {
    verify(connection, { headers, rawBody }) {
      const { webhookKeys, ackCode } = settingsOf(connection)
      const text = decrypted(webhookKeys, {
        iv: Buffer.from(headers['x-initialization-vector'] ?? '', 'base64'),
        tag: Buffer.from(headers['x-authentication-tag'] ?? '', 'base64'),
        ciphertext: Buffer.from(Buffer.from(rawBody).toString('latin1'), 'base64'),
      })
      if (text === undefined) return { kind: 'refused' }
      const notification = JSON.parse(text) as SpgNotification
      const { notificationID: id } = notification
      return {
        ...{ kind: 'accepted', id, payload: JSON.stringify(notifiedOf(notification)) },
        answer: { status: 200, body: { statusCode: ackCode, statusMsg: 'Success', notificationID: id } },
      }
    },
    async handle(connection, notification, tools) {
      await handle(askedOf(connection, tools), notification, tools)
    },
  }
}

function notifiedOf({ transactionID, merchant, mbwayMandate }: SpgNotification): Notified {
  const { mandateIdentification, mandateAction, mandateActionStatus } = mbwayMandate ?? {}
  return {
    ours: textOf(merchant?.transactionId ?? merchant?.merchantTransactionId),
    transactionId: textOf(transactionID),
    mandateId: textOf(mandateIdentification),
    mandateRefused:
      mandateAction === 'CRTN' && mandateActionStatus !== undefined && mandateActionStatus !== 'SCCS',
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Undefined if no key decrypts the text. */
function decrypted(
  keys: readonly Buffer[],
  { iv, tag, ciphertext }: { readonly iv: Buffer; readonly tag: Buffer; readonly ciphertext: Buffer },
): string | undefined {
  if (iv.length !== ivBytes || tag.length !== tagBytes) return undefined
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
    } catch {}
  }
  return undefined
}

/** The driver ignores transactions of other systems that use the same terminal. */
async function handle(
  { mandates, references }: Asked,
  { payload }: WebhookNotification,
  { requests, notices }: DriverTools,
): Promise<void> {
  const { ours, transactionId, mandateId, mandateRefused } = JSON.parse(payload) as Notified
  const key = ours === undefined ? undefined : keyOf(ours)
  const request =
    (key === undefined ? undefined : await requests.find(key)) ??
    (mandateId === undefined ? undefined : await requests.findByProviderId(mandateId)) ??
    (transactionId === undefined ? undefined : await requests.findByProviderId(transactionId))
  if (request === undefined) return
  if (request.steps.creation !== undefined) {
    await mandates.look(request.key, mandateRefused === true)
    await notices.mobileWallet({ kind: 'mandate', key: request.key })
  } else if (request.rail === 'mobileWallet')
    await notices.mobileWallet({ kind: 'payment', key: request.key })
  else if (request.rail === 'acquirer') await notices.card(request.key)
  else if (request.steps.generate !== undefined)
    for (const payment of await references.paymentsOf([request.key]))
      await notices.references.receive(payment)
}
