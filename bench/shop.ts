// Merchant that the benchmark drives.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openPage, submit } from '../test/browserless.ts'
import type { BareAccounts } from './bare-rows.ts'

export interface Shop {
  readonly baseUrl: string
  readonly wallet_id: number
  readonly api_key: string
  readonly esb_token: string
}

export function headersOf(shop: Shop): Record<string, string> {
  return {
    authorization: `Comporta ${shop.api_key}`,
    'proxy-authorization': `ESBToken=${shop.esb_token}`,
    'content-type': 'application/json',
  }
}

export async function storeCard(shop: Shop): Promise<string> {
  const headers = headersOf(shop)
  const request_id = randomUUID()
  const stored = await fetch(`${shop.baseUrl}/prows/v2/creditcard`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      newCard: {
        number: '4176660000000027',
        name: 'Ana Silva',
        vcode: '123',
        valdate: '12/2030',
        email: 'a@b.pt',
      },
      cardsecure_url_confirm: `${shop.baseUrl}/healthz`,
      cardsecure_url_cancel: `${shop.baseUrl}/healthz`,
      request_id,
    }),
  })
  const { cardsecure_url_redirect: url } = (await stored.json()) as { cardsecure_url_redirect: string }
  const page = await openPage(url)
  const [form] = page.forms
  if (form !== undefined) await submit(page, form)
  const request = await fetch(`${shop.baseUrl}/api/v2/requests/${request_id}`, { headers })
  const { token } = (await request.json()) as { token?: string }
  if (token === undefined) throw new Error('the card was not stored')
  return token
}

export async function accountsOf(databaseUrl: string, walletId: number): Promise<BareAccounts> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query('select id, wallet_id, kind from accounts')
  await client.end()
  const numberOf = (wallet: number, kind: string) =>
    rows.find((row) => Number(row.wallet_id) === wallet && row.kind === kind).id
  return {
    clearing: numberOf(0, 'clearing:CC'),
    merchant: numberOf(walletId, 'merchant'),
    fees: numberOf(0, 'fees'),
  }
}
