// Routes of the button and badge pages.
import { type ButtonQuery, readButtonQuery } from '../../src/brand/index.ts'
import type { App, AppRequest } from '../../src/http/index.ts'
import { languageFor } from '../pages/language.ts'
import { sendPage } from '../pages/layout.ts'
import { sandboxPage } from '../route-options.ts'
import { badgePage, badgePagePath } from './badge-page.ts'
import { buttonPage, buttonPagePath } from './button-page.ts'

export function brandPages({ baseUrl }: { readonly baseUrl: string }): (app: App) => void {
  return (app) => {
    app.get(buttonPagePath, sandboxPage, async (request, reply) => {
      const chosen = chosenButton(request)
      return sendPage(reply, buttonPage({ language: languageFor(request), baseUrl, chosen }))
    })

    app.get(badgePagePath, sandboxPage, async (request, reply) =>
      sendPage(reply, badgePage(languageFor(request), baseUrl)),
    )
  }
}

/** The button of the query, or the default button if the query is invalid. */
function chosenButton(request: AppRequest) {
  const query = Object.entries(request.query as Record<string, string | string[]>)
  const texts = query.map(([name, text]) => [name, [text].flat().join(',')])
  const asked = readButtonQuery(Object.fromEntries(texts) as ButtonQuery)
  const regular = readButtonQuery({})
  if (!regular.ok) throw new Error('a button needs no parameter')
  return asked.ok ? asked.value : regular.value
}
