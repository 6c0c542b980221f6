// Keeps the gateway from delivering the callbacks of an examination itself.
import { CliError, type Session } from '../../src/cli/session.ts'
import { type Gateway, gatewayAt } from '../gateway.ts'
import { amount, createActor } from '../trigger/actor.ts'

/** Removes the address of the wallet. Returns a function that sets it again, also after Ctrl-C. */
export async function withholdCallbacks(session: Session, gateway: Gateway): Promise<() => Promise<void>> {
  const wallet = gateway.place.merchant?.wallet_id ?? (await walletOf(session, gateway))
  const setting = `/sandbox/api/merchants/${wallet}/callback-url`
  const { callback_url: before } = await gateway.ask(setting)
  if (before === null) return async () => undefined
  await gateway.ask(setting, { body: { callback_url: null } })
  session.err(`The callback address of wallet ${wallet} is removed, and set again at the end: ${before}`)
  const lasting = gatewayAt(gateway.place, new AbortController().signal)
  return async () => {
    await lasting.ask(setting, { body: { callback_url: before } })
  }
}

/** Every operation names its wallet. */
async function walletOf(session: Session, gateway: Gateway): Promise<string> {
  const { elements } = await gateway.ask('/api/v2/operations?limit=1')
  const last = elements[0] ?? (await firstOperation(session, gateway))
  if (last.merchant?.id === undefined) throw new CliError('failed', 'the gateway does not name the wallet')
  return last.merchant.id
}

async function firstOperation({ stopped }: Session, gateway: Gateway) {
  const { payment } = await createActor(gateway, [], stopped).checkout({ payment: amount })
  return gateway.ask(`/api/v2/operations/${payment.id}`)
}
