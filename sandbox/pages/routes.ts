// Routes of the sandbox's own pages and files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../src/http/index.ts'
import { projectRoot } from '../../src/kernel/project-root.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { listedMax } from '../issuer/model.ts'
import { listOpenChallenges } from '../issuer/store.ts'
import { sandboxPage } from '../route-options.ts'
import { frontPage } from './front-page.ts'
import { issuerPage } from './issuer-page.ts'
import { type Landing, landingPage } from './landing-page.ts'
import { languageFor } from './language.ts'
import { sendPage } from './layout.ts'

const assetMaxAgeSeconds = 300

const assets = [
  { file: 'sandbox.css', type: 'text/css; charset=utf-8' },
  { file: 'brand.css', type: 'text/css; charset=utf-8' },
  { file: 'phone.css', type: 'text/css; charset=utf-8' },
  { file: 'phone.js', type: 'text/javascript; charset=utf-8' },
  { file: 'submit.js', type: 'text/javascript; charset=utf-8' },
] as const

export interface PageDeps extends Landing {
  readonly database: Database
  readonly clock: Clock
}

export function pageRoutes({ database, clock, ...landing }: PageDeps): (app: App) => void {
  return (app) => {
    app.get('/sandbox/start', sandboxPage, async (request, reply) =>
      sendPage(reply, landingPage(landing, languageFor(request))),
    )

    app.get('/sandbox', sandboxPage, async (request, reply) =>
      sendPage(reply, frontPage(clock.now(), languageFor(request))),
    )

    app.get('/sandbox/issuer', sandboxPage, async (request, reply) => {
      const open = await listOpenChallenges(database, clock.now(), listedMax)
      return sendPage(reply, issuerPage(open, languageFor(request)))
    })

    for (const { file, type } of assets) {
      const content = readFileSync(join(projectRoot, 'sandbox', 'assets', file), 'utf8')
      app.get(`/sandbox/assets/${file}`, sandboxPage, async (_, reply) =>
        reply
          .header('content-type', type)
          .header('cache-control', `public, max-age=${assetMaxAgeSeconds}`)
          .send(content),
      )
    }
  }
}
