// Routes of the chaos page and JSON.
import { type App, type AppReply, type AppRequest, dateOnWire } from '../../src/http/index.ts'
import { RefusalError, type Result, refuse, unwrap } from '../../src/kernel/result.ts'
import type { Clock } from '../../src/kernel/time.ts'
import { fieldsOf } from '../body-fields.ts'
import { languageFor } from '../pages/language.ts'
import { sendPage } from '../pages/layout.ts'
import { sandboxJson, sandboxPage } from '../route-options.ts'
import type { Chaos } from './chaos.ts'
import { chaosWords } from './messages.ts'
import type { ChaosSetting } from './model.ts'
import { type ChaosView, chaosBanner, chaosPage, chaosPath } from './page.ts'
import { chaosHeader, foreignField, readHeader, readSetting, readWhich, settingFields } from './rules.ts'

const apiPath = '/sandbox/api/chaos'

export function chaosRoutes(
  chaos: Chaos,
  clock: Clock,
  hasMerchant: (walletId: bigint) => Promise<boolean>,
): (app: App) => void {
  const answer = () => ({ settings: chaos.list().map(onWire) })

  async function begin(body: unknown): Promise<Result<ChaosSetting>> {
    const setting = readSetting(fieldsOf(body), clock.now())
    if (!setting.ok) return setting
    const { walletId } = setting.value
    if (walletId !== undefined && !(await hasMerchant(walletId)))
      return refuse('invalid_parameter', `wallet_id must be that of a merchant: there is no ${walletId}`)
    await chaos.set(setting.value)
    return setting
  }

  function send(request: AppRequest, reply: AppReply, more: Pick<ChaosView, 'notice' | 'typed'> = {}) {
    return sendPage(reply, chaosPage({ lang: languageFor(request), settings: chaos.list(), ...more }))
  }

  return (app) => {
    app.decorate('sandboxBanner', (lang: 'pt' | 'en') => chaosBanner(chaos.list(), lang))
    app.addHook('preValidation', (request, _reply, done) => {
      const header = request.headers[chaosHeader]
      if (header === undefined) return done()
      const faults = readHeader(String(header))
      if (faults.ok) chaos.within(faults.value, done)
      else done(new RefusalError(faults.refusal))
    })

    app.get(apiPath, sandboxJson, async () => answer())
    app.post(apiPath, sandboxJson, async ({ body }) => {
      unwrap(foreignField(fieldsOf(body), settingFields))
      unwrap(await begin(body))
      return answer()
    })
    app.delete(apiPath, sandboxJson, async ({ query }) => {
      unwrap(foreignField(fieldsOf(query), ['rail', 'wallet_id']))
      await chaos.clear(unwrap(readWhich(fieldsOf(query))))
      return answer()
    })

    app.get(chaosPath, sandboxPage, async (request, reply) => send(request, reply))
    app.post(chaosPath, sandboxPage, async (request, reply) => {
      const begun = await begin(request.body)
      const words = chaosWords[languageFor(request)]
      if (begun.ok) return send(request, reply, { notice: { wrong: false, text: words.kept } })
      const text = words.refused ?? begun.refusal.reason
      return send(request, reply.code(400), { notice: { wrong: true, text }, typed: fieldsOf(request.body) })
    })
    app.post(`${chaosPath}/clear`, sandboxPage, async (request, reply) => {
      const which = unwrap(readWhich(fieldsOf(request.body)))
      await chaos.clear(which)
      const text = chaosWords[languageFor(request)].madeWell
      return send(request, reply, chaos.list().length === 0 ? { notice: { wrong: false, text } } : {})
    })
  }
}

function onWire({ rail, walletId, kind, seconds, status, callsLeft, endsAt }: ChaosSetting) {
  return {
    rail,
    trouble: kind,
    ...(seconds === undefined ? {} : { seconds }),
    ...(status === undefined ? {} : { status }),
    wallet_id: walletId === undefined ? null : Number(walletId),
    calls: callsLeft ?? null,
    until: endsAt === undefined ? null : dateOnWire(endsAt),
  }
}
