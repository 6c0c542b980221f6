// Sending by SMTP.
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { second } from '../kernel/time.ts'
import type { CarrierAnswer, MailCarrier } from '../rails/index.ts'
import type { SmtpServer } from './settings-rules.ts'

/** An attempt is shorter than the lease, so that no two processes send one mail at once. */
const sendMsMax = 60 * second
const connectMsMax = 15 * second
const quietMsMax = 30 * second

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

/** Refusals of these commands concern this message. Others concern the operator's account. */
const aboutMessage: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA'])

/** "Relay access denied" comes at the same commands, but the operator can repair it (RFC 3463, 5.7). */
const aboutSender = /^5\d\d[ -]5\.7\.|^53[05]\b/

/** Each message has its own connection, so that a broken one harms no other message. */
export function createSmtpCarrier(server: SmtpServer, tls: { readonly ca?: string } = {}): MailCarrier {
  return {
    send: ({ raw, envelope }) =>
      new Promise((resolve) => {
        const { host, port, secure, user, password } = server
        const connection = new SMTPConnection({
          host,
          port,
          secure,
          // With a password TLS is required, so that the password never crosses the network in the clear.
          requireTLS: !secure && user !== undefined,
          connectionTimeout: connectMsMax,
          greetingTimeout: connectMsMax,
          socketTimeout: quietMsMax,
          tls,
        })
        let ended = false
        const end = (answer: CarrierAnswer) => {
          if (ended) return
          ended = true
          clearTimeout(timer)
          connection.close()
          resolve(answer)
        }
        const timer = setTimeout(
          () => end({ kind: 'failed', text: 'the SMTP server took too long' }),
          sendMsMax,
        )
        const failed = (error: SmtpError) => end(answerTo(error))
        connection.on('error', failed)
        connection.on('end', () => end({ kind: 'failed', text: 'the SMTP server closed the connection' }))
        const deliver = () =>
          connection.send({ ...envelope, use8BitMime: true }, raw, (error, info) => {
            if (error) return failed(error as SmtpError)
            const text = String(info?.response ?? '')
            end({ kind: 'taken', status: Number.parseInt(text, 10) || 250, text })
          })
        connection.connect((error) => {
          if (error) return failed(error as SmtpError)
          if (user === undefined) return deliver()
          connection.login({ user, pass: password ?? '' }, (refused) =>
            refused ? failed(refused as SmtpError) : deliver(),
          )
        })
      }),
  }
}

function answerTo({ responseCode: status, response, message, command }: SmtpError): CarrierAnswer {
  const text = response ?? message
  const isAboutMessage = aboutMessage.has(command) && !aboutSender.test(text)
  return status !== undefined && status >= 500 && isAboutMessage
    ? { kind: 'refused', status, text }
    : { kind: 'failed', status, text }
}
