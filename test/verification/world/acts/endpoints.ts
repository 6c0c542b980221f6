// Further callback endpoints of merchants: created, paused, asked to send again.
import { ask } from '../ask.ts'
import { type Act, earlier, remember } from '../world.ts'

const path = '/api/v2/callback_endpoints'

const makeEndpoint: Act = async (world, _step, chance) => {
  // Keys of the other merchants lack the permission.
  const merchant = chance.pick(world.merchants.filter(({ roles }) => roles.includes('partner')))
  const body = { url: world.callbackUrl(merchant, 'further') }
  const answer = await ask(world, merchant, { verb: 'make endpoint', method: 'POST', path, body }, chance)
  if (answer?.body?.id !== undefined) remember(world, 'endpoint', { id: answer.body.id, merchant, more: {} })
}

const changeEndpoint: Act = async (world, step, chance) => {
  const endpoint = earlier(world, 'endpoint', step)
  if (endpoint === undefined) return
  const { id, merchant } = endpoint
  const [verb, method, part, body] = chance.pick([
    ['pause endpoint', 'PATCH', '', { status: 'PAUSED' }],
    ['resume endpoint', 'PATCH', '', { status: 'ACTIVE' }],
    ['resend', 'POST', '/resend', {}],
    ['replace secret', 'POST', '/secrets', { kind: 'callback_signing_secret' }],
  ] as const)
  await ask(world, merchant, { verb, method, path: `${path}/${id}${part}`, body }, chance)
}

export const endpointActs = { makeEndpoint, changeEndpoint } as const satisfies Record<string, Act>
