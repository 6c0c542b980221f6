// Wires mail: the SMTP server, or the sandbox's post box.
import { createMail, createSmtpCarrier, type Mail, type MailRoute } from '../mail/index.ts'
import type { PageCore } from '../module.ts'
import type { Runtime } from '../runtime.ts'
import type { Wallets } from '../wallets/index.ts'
import type { RailDrivers } from './rails.ts'

/** The domain is reserved for tests (RFC 2606), so an answer to such a mail reaches nobody. */
const sandboxSender = { address: 'mail@sandbox.example', name: 'Comporta sandbox' }

export function composeMail(core: PageCore, runtime: Runtime, drivers: RailDrivers, wallets: Wallets): Mail {
  return createMail({ core, wallets, simulated: drivers.simulated, route: routeOf(runtime, drivers) })
}

function routeOf({ config }: Runtime, { postBox }: RailDrivers): MailRoute | undefined {
  if (postBox !== undefined) return { carrier: postBox, from: sandboxSender }
  const { mail } = config
  return mail && { carrier: createSmtpCarrier(mail.server), from: mail.from }
}
