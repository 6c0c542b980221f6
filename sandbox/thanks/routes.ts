// Route of the page after a checkout.
import type { App } from '../../src/http/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { languageFor } from '../pages/language.ts'
import { sendPage } from '../pages/layout.ts'
import { sandboxPage } from '../route-options.ts'
import type { Receipt } from './model.ts'
import { thanksPage, thanksPath, unknownThanksPage } from './page.ts'

export type FindReceipt = (checkoutId: string) => Promise<Receipt | undefined>

export function thanksRoutes(findReceipt: FindReceipt): (app: App) => void {
  return (app) => {
    app.get(thanksPath, sandboxPage, async (request, reply) => {
      const { checkoutid: id } = request.query as { checkoutid?: unknown }
      const receipt = typeof id === 'string' && isUuid(id) ? await findReceipt(id.toLowerCase()) : undefined
      const lang = languageFor(request)
      return receipt === undefined
        ? sendPage(reply.code(404), unknownThanksPage(lang))
        : sendPage(reply, thanksPage(receipt, lang))
    })
  }
}
