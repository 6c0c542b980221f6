// Checks that other merchants cannot read objects. It tries some of every kind.
import type { Json, Merchant } from '../world/notes.ts'
import type { Wire } from '../world/wire.ts'
import type { Books } from './books.ts'

const askedFor = 2

export async function checkTenancy(wire: Wire, books: readonly Books[]): Promise<string[]> {
  const wrong: string[] = []
  for (const own of books)
    for (const path of pathsOf(own))
      for (const { merchant } of books.filter((other) => other !== own)) {
        const status = await statusOf(wire, path, merchant)
        if (status !== undefined && status !== 404 && status !== 403)
          wrong.push(
            `${path} of wallet ${own.merchant.wallet_id} is answered ${status} to wallet ${merchant.wallet_id}`,
          )
      }
  return wrong
}

function pathsOf({ operations, subscriptions, mandates, payouts, links }: Books): string[] {
  const some = (path: string, things: readonly Json[], field = 'id') =>
    things.slice(0, askedFor).map((thing) => `${path}/${thing[field]}`)
  return [
    ...some('/api/v2/operations', operations),
    ...some(
      '/api/v2/authorizations',
      operations.filter(({ type }) => type === 'AUTH'),
    ),
    ...some('/api/v2/subscriptions', subscriptions),
    ...some('/api/v2/mandate/mbway', mandates, 'mandate_id'),
    ...some('/api/v2/payouts', payouts),
    ...some('/api/v2/payment_links', links),
  ]
}

async function statusOf(wire: Wire, path: string, merchant: Merchant): Promise<number | undefined> {
  const headers = { authorization: `Comporta ${merchant.api_key}` }
  return (await wire.send({ method: 'GET', path, headers }))?.status
}
