// The page on which a reader stops mails of one kind.
import { type App, type AppReply, type AppRequest, addressSubject, limitPerMinute } from '../http/index.ts'
import { unwrap } from '../kernel/result.ts'
import type { PageCore } from '../module.ts'
import {
  document,
  html,
  loadAssets,
  localeOf,
  pageRoute,
  renderProblemPage,
  sendPage,
} from '../pages/index.ts'
import type { SimulatedMoney } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { oneLine } from './rules.ts'
import { addStop, readStopToken, type Stop, stopPath } from './stops.ts'

const opensPerMinute = 60

const words = {
  pt: {
    title: 'Não receber mais e-mails',
    ask: (shop: string) =>
      `Deixa de receber e-mails deste tipo de ${shop}. Os recibos de pagamentos continuam.`,
    button: 'Não receber mais',
    done: 'Está feito. Já não recebe e-mails deste tipo.',
  },
  en: {
    title: 'Stop mails',
    ask: (shop: string) => `You get no more mails of this kind from ${shop}. Receipts of payments continue.`,
    button: 'Stop them',
    done: 'Done. You get no more mails of this kind.',
  },
} as const

export interface StopRoutesDeps {
  readonly core: PageCore
  readonly simulated: SimulatedMoney | undefined
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
}

export function stopRoutes({ core, simulated, wallets }: StopRoutesDeps): (app: App) => void {
  const { database, clock, keyring, manifestPath } = core
  const assets = loadAssets(manifestPath)
  const limit = limitPerMinute('mail stops', opensPerMinute)

  async function shown(
    request: AppRequest,
    reply: AppReply,
    act?: (stop: Stop) => Promise<void>,
  ): Promise<AppReply> {
    unwrap(limit(request, reply, addressSubject(request.ip)))
    const { token } = request.params as { token: string }
    const stop = readStopToken(keyring, token)
    const wallet = stop && (await wallets.find(stop.walletId))
    const locale = localeOf(request, { fallback: wallet?.pageLanguage ?? null })
    if (stop === undefined)
      return sendPage(reply.code(404), renderProblemPage({ locale, assets, simulated, problem: 'not_found' }))
    await act?.(stop)
    const said = words[locale]
    const body =
      act === undefined
        ? html`<p>${said.ask(oneLine(wallet?.name ?? 'Comporta'))}</p><form method="post"><button class="primary" type="submit">${said.button}</button></form>`
        : html`<p role="status">${said.done}</p>`
    const main = html`<main class="single"><div class="outcome-head"><h1>${said.title}</h1>!${body}</div></main>`
    return sendPage(reply, document({ locale, assets, simulated }, { title: said.title, main }))
  }

  return (app) => {
    // GET only asks, because programs of mail servers open every link.
    app.get(`${stopPath}/:token`, pageRoute, (request, reply) => shown(request, reply))
    // The reader's mail program also calls this (RFC 8058).
    app.post(`${stopPath}/:token`, pageRoute, (request, reply) =>
      shown(request, reply, (stop) => addStop(database, stop, clock.now())),
    )
  }
}
