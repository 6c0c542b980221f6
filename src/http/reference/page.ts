// The reference page, rendered by Scalar.
import { plainEsbHeader, type TrialKeys } from './trial.ts'

/** Loads the library on first use, because that takes a third of a second. `keys` prefill the page. */
export async function createPage(
  documentUrl: string,
  keys?: TrialKeys,
): Promise<{ readonly html: string; readonly script: Buffer }> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await app.register(scalar, {
    routePrefix: '/docs/api',
    configuration: {
      url: documentUrl,
      ...(keys && {
        authentication: {
          securitySchemes: {
            apiKey: { name: 'Authorization', in: 'header', value: keys.authorization },
            // A browser does not let a page send Proxy-Authorization.
            esbToken: { name: plainEsbHeader, in: 'header', value: keys.esbToken },
          },
        },
      }),
      pageTitle: 'Comporta API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  })
  const [html, script] = [
    await app.inject({ url: '/docs/api/' }),
    await app.inject({ url: '/docs/api/js/scalar.js' }),
  ]
  await app.close()
  return { html: html.payload.replace('<html>', '<html lang="en">'), script: script.rawPayload }
}
