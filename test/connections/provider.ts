// A payment provider with accounts, each with rails in memory: a server that can be down, or lose its answers.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { systemClock } from '../../src/kernel/time.ts'
import { memoryAcquirer } from '../rails/memory/acquirer.ts'
import {
  type AuthenticatingAcquirer,
  authenticatingAcquirer,
} from '../rails/memory/authenticating-acquirer.ts'
import { memoryBank } from '../rails/memory/bank.ts'
import { memoryMobileWallet } from '../rails/memory/mobile-wallet.ts'
import { decode, encode } from './wire.ts'

interface Account {
  readonly token: string
  readonly wallet: ReturnType<typeof memoryMobileWallet>
  /** Where its customers answer at pages. */
  readonly pages: AuthenticatingAcquirer
  readonly rails: Readonly<Record<string, object>>
  /** What arrived, as `rail.verb`. */
  readonly calls: string[]
}

export interface Provider {
  readonly url: string
  /** Opens an account. */
  open(name: string, token: string): Account
  /** Answers 503 to everything, or not any more. */
  setDown(isDown: boolean): void
  /** Does what it is asked by the next call of this verb, and breaks the connection in place of an answer. */
  loseAnswerOf(verb: string): void
  close(): Promise<void>
}

export async function startProvider(phones: ReadonlySet<string>): Promise<Provider> {
  const accounts = new Map<string, Account>()
  let isDown = false
  let lost: string | undefined

  const server = createServer(async (request, response) => {
    const account = accounts.get(String(request.headers.account))
    const body = await textOf(request)
    if (isDown) return void response.writeHead(503).end('down')
    if (account === undefined || request.headers.authorization !== `Bearer ${account.token}`)
      return void response.writeHead(401).end('no')
    const { rail, verb, args } = decode(body) as { rail: string; verb: string; args: unknown[] }
    account.calls.push(`${rail}.${verb}`)
    const verbs = account.rails[rail] as Record<string, (...given: unknown[]) => unknown> | undefined
    const answer = await verbs?.[verb]?.(...args)
    if (lost === verb) {
      lost = undefined
      return void response.destroy()
    }
    response.end(encode(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open(name, token) {
      const wallet = memoryMobileWallet(systemClock.now, phones)
      const { directDebit, creditTransfer } = memoryBank()
      const pages = authenticatingAcquirer(() => true)
      const { customers = {}, ...acquirerWithPages } = pages.acquirer
      const account = {
        token,
        wallet,
        pages,
        calls: [],
        rails: {
          acquirer: memoryAcquirer(),
          ...{ acquirerWithPages, pages: customers },
          // No card takes part in 3-D Secure.
          threeDSecure: { versions: async () => undefined },
          mobileWallet: wallet.wallet,
          account: { hello: () => 'hello' },
          ...{ directDebit, creditTransfer },
        },
      }
      accounts.set(name, account)
      return account
    },
    setDown(now) {
      isDown = now
    },
    loseAnswerOf(verb) {
      lost = verb
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
