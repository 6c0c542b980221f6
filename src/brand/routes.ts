// Public routes of the button and the badge.
import { Type } from 'typebox'
import { type App, type AppReply, type AppRequest, documented, limitPerMinute } from '../http/index.ts'
import { addressSubject } from '../http/rate-limits.ts'
import { unwrap } from '../kernel/result.ts'
import { methods } from '../methods/list.ts'
import { createButtonImages } from './button/images.ts'
import {
  badgePath,
  buttonPath,
  buttonPathWithoutVersion,
  buttonStyles,
  buttonTypes,
  cultures,
  imageFormats,
  imageScales,
} from './model.ts'
import { isKnown, loadBadgeScript, type PublicFile } from './public-file.ts'
import { readButtonQuery } from './rules.ts'

/** The drawing may change under the same address, so browsers ask again after a day. */
const cacheControl = 'public, max-age=86400, stale-while-revalidate=604800'
/** The limit only counts new pictures. To draw one takes 6 ms. */
const newPngsPerMinute = 120

/** This is only for the API reference. The rules accept the words in any case. */
const buttonQuery = Type.Object({
  methods: Type.Optional(
    Type.String({
      description: `Comma list of ${methods.join(', ')}, drawn in this order. GPAY and APAY are ignored.`,
    }),
  ),
  style: oneOf(buttonStyles, 'Colours of the button.'),
  culture: oneOf(cultures, 'Language of the text.'),
  type: oneOf(buttonTypes, 'Text of the button.'),
  format: oneOf(imageFormats, 'Format of the image.'),
  scale: oneOf(imageScales, 'Pixels of a PNG per pixel of the page. An SVG is sharp at any size.'),
})

function oneOf(words: readonly string[], description: string) {
  return Type.Optional(Type.String({ description, ...documented({ enum: words, default: words[0] }) }))
}

const image = { schema: { type: 'string' } } as const
const images200 = {
  200: { description: 'The image', content: { 'image/svg+xml': image, 'image/png': image } },
} as const

export function brandRoutes({ manifestPath }: { readonly manifestPath: string }): (app: App) => void {
  const badge = loadBadgeScript(manifestPath)
  const images = createButtonImages()
  const limitNewPngs = limitPerMinute('button images', newPngsPerMinute)

  return (app) => {
    for (const path of [buttonPath, buttonPathWithoutVersion]) {
      app.get(
        path,
        {
          config: { auth: 'none', amongPages: true, refusals: ['invalid_parameter', 'too_many_requests'] },
          schema: {
            operationId: 'getButtonImage',
            summary: 'Get the image of a payment button',
            description:
              'An image for the `img` tag of your own page. It needs no key and may be cached for a day.',
            tags: ['Checkout'],
            querystring: buttonQuery,
            response: images200,
            hide: path !== buttonPath,
          },
        },
        async (request, reply) => {
          const asked = unwrap(readButtonQuery(request.query))
          const kept = images.kept(asked)
          if (kept === undefined && asked.format === 'png') {
            unwrap(limitNewPngs(request, reply, addressSubject(request.ip)))
          }
          return sendToAll(request, reply, kept ?? (await images.draw(asked)))
        },
      )
    }

    app.get(
      badgePath,
      { config: { auth: 'none', amongPages: true }, schema: { hide: true } },
      (request, reply) => sendToAll(request, reply, badge),
    )
  }
}

function sendToAll(request: AppRequest, reply: AppReply, file: PublicFile): AppReply {
  reply.headers({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': cacheControl,
    etag: file.etag,
  })
  if (isKnown(file, request.headers['if-none-match'])) return reply.code(304).send()
  return reply.type(file.type).send(file.content)
}
