// Tokens of stored cards in answers: only for callers who may use them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { type SignedIn, signIn } from '../people.ts'
import { storeCard } from '../stored-cards.ts'
import { type Answer, cards, type World } from '../world.ts'
import { type Belongings, belongingsOf } from './belongings.ts'
import { peoplePrefix, type Route, withRoutes } from './routes.ts'

let world: World
let routes: Route[]
let owned: Belongings
let token: string
let people: Record<'owner' | 'reader' | 'operator', SignedIn>
let ids: string[]

beforeAll(async () => {
  ;[world, routes] = await withRoutes(openWorld)
  owned = await belongingsOf(world, world.merchant('Plain Shop'))
  await storeCard(world, cards.frictionlessMastercard.number)
  token = owned.byPath['/prows/v2/creditcard/:token'] ?? ''
  people = {
    owner: await signIn(world, 'owner@demo.example'),
    reader: await signIn(world, 'reader@demo.example'),
    operator: await signIn(world, 'operator@demo.example'),
  }
  const { events } = (await world.shop.get('/api/v2/events?limit=100')).body
  const others = Object.values(owned.byPath).filter((id) => id !== token)
  ids = [...others, ...events.map(({ id }: { id: string }) => id)]
})
afterAll(() => world?.stop())

async function answers(of: (route: Route) => boolean, get: (path: string) => Promise<Answer>) {
  const reading = routes.filter(
    (route) => route.method === 'GET' && of(route) && !/listen|stream/.test(route.url),
  )
  const paths = reading.flatMap(({ url }) => {
    const path = url.replace(':wallet', String(world.shop.wallet_id)).replace(':token', token)
    return path.includes(':') ? ids.map((id) => path.replace(/:\w+/, id)) : [path]
  })
  const texts = new Map<string, string>()
  for (const path of paths) texts.set(path, (await get(path)).text)
  return texts
}

const showing = (texts: Map<string, string>) =>
  [...texts].filter(([, text]) => /"token\\*": *\\*"[0-9a-f-]{36}/i.test(text)).map(([path]) => path)
const holding = (texts: Map<string, string>) =>
  [...texts]
    .filter(([path, text]) => !path.includes(token) && text.toUpperCase().includes(token))
    .map(([path]) => path)

const isOfPeople = ({ url }: Route) => url.startsWith(`${peoplePrefix}wallets/`)

it('people without the right to use them', async () => {
  const as = (who: SignedIn) => answers(isOfPeople, (path) => who.get(path.replace('/backoffice/api', '')))
  const seen = await as(people.owner)
  expect(holding(seen).length).toBeGreaterThan(4)
  for (const who of [people.reader, people.operator]) {
    const texts = await as(who)
    expect([showing(texts), holding(texts)]).toEqual([[], []])
    expect([...texts.keys()]).toEqual([...seen.keys()])
    const list = texts.get(`/backoffice/api/wallets/${world.shop.wallet_id}/recurring/cards`) ?? '{}'
    expect(JSON.parse(list).cards).toHaveLength(2)
  }
})

it('keys without the right to use them', async () => {
  const isOfApi = ({ url, auth }: Route) => /^\/(api|prows)\//.test(url) && auth !== 'none'
  const as = async (...permissions: string[]) => {
    const made = await world.cli(
      'key',
      'create',
      String(world.shop.wallet_id),
      '--permissions',
      permissions.join(','),
    )
    const headers = {
      authorization: `Comporta ${made.json.api_key}`,
      'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
    }
    return answers(isOfApi, (path) => world.request(path, { headers }))
  }
  const reading = ['checkout', 'operations', 'authorizations', 'subscriptions', 'mandates', 'payouts']
  expect(holding(await as(...reading, 'card')).length).toBeGreaterThan(3)
  const texts = await as(...reading)
  expect([showing(texts), holding(texts)]).toEqual([[], []])
})
