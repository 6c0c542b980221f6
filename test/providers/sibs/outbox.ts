// Encrypted notifications of SPG, delivered in any order.
import { createCipheriv, randomBytes } from 'node:crypto'

export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers the gateway's acknowledgement. */
type Receiver = (sent: Sent) => Promise<{ readonly status: number; readonly body: string }>

export interface Outbox {
  /** Undefined: notifications go to {@link kept}. */
  receiver: Receiver | undefined
  /** Undelivered ones, oldest first. */
  readonly kept: Sent[]
  /** Answers of the gateway to notifications, each as `status body`. */
  readonly acknowledged: string[]
  send(notification: object): Promise<void>
}

export function createOutbox(key: Buffer): Outbox {
  let notifications = 0
  const outbox: Outbox = {
    receiver: undefined,
    kept: [],
    acknowledged: [],
    async send(notification) {
      const sent = encrypted(key, { ...notification, notificationID: `n-${++notifications}` })
      if (outbox.receiver === undefined) return void outbox.kept.push(sent)
      const { status, body } = await outbox.receiver(sent)
      outbox.acknowledged.push(`${status} ${body}`)
    },
  }
  return outbox
}

export function encrypted(key: Buffer, notification: object): Sent {
  return encryptedText(key, JSON.stringify(notification))
}

export function encryptedText(key: Buffer, text: string): Sent {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return {
    headers: {
      'content-type': 'text/plain',
      'x-initialization-vector': iv.toString('base64'),
      'x-authentication-tag': cipher.getAuthTag().toString('base64'),
    },
    body: body.toString('base64'),
  }
}
