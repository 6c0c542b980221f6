// The script that shows the checkout in a page of the shop.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type App, builtFiles, createStaticFile, immutableCache } from '../../http/index.ts'

/** The content never changes, because shops pin its hash. Another content needs another version. */
const embedScriptPath = '/embed/v1/checkout.js'

export function embedScriptRoute(manifestPath: string): (app: App) => void {
  const { file } = builtFiles(manifestPath)('embed.js')
  const content = readFileSync(join(dirname(manifestPath), file))
  const script = createStaticFile(content, 'text/javascript; charset=utf-8', immutableCache)
  return (app) => {
    app.get(
      embedScriptPath,
      { config: { auth: 'none', page: true }, schema: { hide: true } },
      (request, reply) => {
        // Scripts of any site may load the file and check its `integrity`.
        reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
        return script.send(request, reply)
      },
    )
  }
}
