// A mail server that takes, delays, defers, refuses and breaks off.
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface TakenMail {
  readonly to: string
  readonly from: string
  readonly raw: string
  readonly secure: boolean
  readonly user: string | undefined
}

export interface MailServer {
  readonly port: number
  readonly taken: readonly TakenMail[]
  /** Attempts that reached a recipient. */
  readonly asked: readonly string[]
  stop(): Promise<void>
}

export interface Behaviour extends SMTPServerOptions {
  /** The refusal of a recipient, such as 550; undefined to accept. */
  readonly refusal?: (to: string, attempt: number) => number | undefined
  /** The words of a refusal. */
  readonly says?: string
  /** Called with a whole message: an error code refuses it; `lost` closes the connection without an answer. */
  readonly onMessage?: (mail: TakenMail) => Promise<number | 'lost' | undefined>
}

/** Starts on a free port of 127.0.0.1. */
export async function startMailServer({
  refusal,
  onMessage,
  says,
  ...options
}: Behaviour = {}): Promise<MailServer> {
  const taken: TakenMail[] = []
  const asked: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure || options.key ? [] : ['STARTTLS'],
    logger: false,
    ...options,
    onRcptTo({ address }, _session, done) {
      asked.push(address)
      const code = refusal?.(address, asked.filter((one) => one === address).length)
      done(code === undefined ? undefined : refused(code, says))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => void end())
      async function end(): Promise<void> {
        const mail = {
          to: session.envelope.rcptTo[0]?.address ?? '',
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          raw: Buffer.concat(parts).toString(),
          secure: session.secure,
          user: session.user as string | undefined,
        }
        const answer = await onMessage?.(mail)
        if (typeof answer === 'number') return done(refused(answer))
        taken.push(mail)
        if (answer === 'lost') for (const { _socket } of connectionsOf(server)) _socket.destroy()
        else done()
      }
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { port, taken, asked, stop: () => new Promise((resolve) => server.close(resolve)) }
}

function refused(responseCode: number, says?: string): Error {
  const usual = responseCode < 500 ? 'try again later' : 'no such mailbox'
  return Object.assign(new Error(says ?? usual), { responseCode })
}

function connectionsOf(server: SMTPServer) {
  return [...(server.connections as unknown as Set<{ _socket: { destroy(): void } }>)]
}
