// Forms that the shop's pages post: each is worked once, and the browser is sent to what came of it.
import type { App } from '../../src/http/index.ts'
import { sandboxPage } from '../route-options.ts'
import type { Visit } from './addresses.ts'
import type { Form } from './bodies.ts'
import type { ShopContext } from './context.ts'
import { createOnce } from './once.ts'
import { textsOf, type Visitors } from './visitors.ts'

/** Does what a form asks for, and answers where the browser goes next. */
export type FormWork = (context: ShopContext, visit: Visit, form: Form) => Promise<string>

/** Takes forms at their addresses; one that a double click sends twice is worked once. */
export function formRoutes(
  app: App,
  context: ShopContext,
  { visitOf }: Visitors,
  forms: Readonly<Record<string, FormWork>>,
): void {
  const once = createOnce()
  for (const [address, work] of Object.entries(forms)) {
    app.post(address, sandboxPage, async (request, reply) => {
      const form = textsOf(request.body)
      const visit = visitOf(request, form)
      const next = await once([address, ...Object.values(form)], () => work(context, visit, form))
      return reply.redirect(next, 303)
    })
  }
}
