// Logo and colours of a merchant's pages, served from our own host.
import { type App, createStaticFile, createStaticFiles, immutableCache } from '../../http/index.ts'
import { deny } from '../../kernel/result.ts'
import type { Executor } from '../../storage/index.ts'
import { checkColour, type Shades, shadesOf } from './colour.ts'
import { findLogo } from './logo-store.ts'

const path = '/branding'
const open = { config: { auth: 'none', amongPages: true }, schema: { hide: true } } as const
/** If a browser opens an SVG or page directly, it could otherwise run scripts. */
const pictureHeaders = { 'content-security-policy': "default-src 'none'; sandbox" }
const logosKeptMax = 200
const sheetsKeptMax = 1000
const filePattern = /^[0-9a-f]{32}\.(?:png|jpg|webp)$/

/** The query names the cell of the merchant. */
export function logoPath(file: string, publicId: string): string {
  return `${path}/logos/${file}?merchant=${publicId}`
}

export function colourPath(colour: string): string {
  return `${path}/colours/${colour.replace('#', '')}.css`
}

export function brandingRoutes(database: Executor): (app: App) => void {
  const logos = createStaticFiles(logosKeptMax)
  const sheets = createStaticFiles(sheetsKeptMax)

  async function logoOf(file: string) {
    const logo = filePattern.test(file) ? await findLogo(database, file) : undefined
    return logo && createStaticFile(Buffer.from(logo.content), logo.type, immutableCache)
  }

  async function sheetNamed(file: string) {
    const colour = checkColour(/^([0-9a-f]{6})\.css$/.exec(file)?.[1] ?? '')
    if (!colour.ok) return undefined
    return createStaticFile(Buffer.from(sheetOf(colour.value)), 'text/css; charset=utf-8', immutableCache)
  }

  return (app) => {
    app.get(`${path}/logos/:file`, open, async (request, reply) => {
      const { file } = request.params as { file: string }
      const logo = await logos.get(file, () => logoOf(file))
      if (logo === undefined) return deny('not_found', 'there is no such logo')
      return logo.send(request, reply.headers(pictureHeaders))
    })

    app.get(`${path}/colours/:file`, open, async (request, reply) => {
      const { file } = request.params as { file: string }
      const sheet = await sheets.get(file, () => sheetNamed(file))
      return sheet === undefined ? deny('not_found', 'there is no such colour') : sheet.send(request, reply)
    })
  }
}

function sheetOf(colour: string): string {
  const { light, dark } = shadesOf(colour)
  return `:root{${variables(light)}}@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`
}

function variables({ accent, accentStrong, accentGround, onAccent }: Shades): string {
  return `--accent:${accent};--accent-strong:${accentStrong};--accent-ground:${accentGround};--on-accent:${onAccent}`
}
