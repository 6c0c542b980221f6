// Account methods in tests: pages, simulated world, balances.
import { formTo, openPage, type Page, submit } from './browserless.ts'
import type { Answer, Json, World } from './world.ts'

export const ibans = {
  paid: 'PT50000201231234567890154',
  noFunds: 'PT50000201230000000001087',
  closed: 'PT50000201230000000002057',
  silent: 'PT50000201230000000003027',
} as const

export interface Money {
  sandbox(path: string, body?: unknown): Promise<Answer>
  consumer(
    balance: number,
  ): Promise<{ email: string; pin: string; bank_reference: string; wallet_id: number }>
  balanceOf(email: string): Promise<number>
  pay(checkout: Json, part: string, fields?: Record<string, string>): Promise<Page>
  payByDebit(checkout: Json, iban?: string): Promise<Page>
  callbackOf(operationId: string, event: string): Promise<Json>
  funds(): Promise<{ balance: string; on_its_way: string; bank_reference: string }>
}

export function moneyOf(world: World): Money {
  let consumers = 0
  const sandbox = (path: string, body: unknown = {}) =>
    world.request(`/sandbox/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  async function pay(checkout: Json, part: string, fields: Record<string, string> = {}): Promise<Page> {
    const page = await openPage(checkout.url_redirect)
    return submit(page, formTo(page, `/${part}`), fields)
  }

  return {
    sandbox,
    async consumer(balance) {
      consumers += 1
      const email = `consumer-${consumers}-${Math.trunc(performance.now())}@demo.example`
      const { status, body, text } = await sandbox('consumers', { email, pin: '0471', balance })
      if (status !== 200) throw new Error(text)
      return { ...body, pin: '0471' }
    },
    async balanceOf(email) {
      return (await world.request(`/sandbox/api/consumers/${encodeURIComponent(email)}`)).body.balance
    },
    pay,
    payByDebit: (checkout, iban = ibans.paid) => pay(checkout, 'sepa', { holder: 'Ana Sousa', iban }),
    callbackOf: (operationId, event) =>
      world.eventually(async () =>
        world.receiver
          .received('/callbacks')
          .filter(({ body }) => body !== '')
          .map(({ body }): Json => JSON.parse(body))
          .find((body) => body.operation_id === operationId && body.event === event),
      ),
    async funds() {
      return (await world.cli('balance', String(world.shop.wallet_id))).json
    },
  }
}
