// The page of the reference for people: Scalar, as its library makes it.

/** The page and its script. The library takes a third of a second to load, which is nobody's business at the start. */
export async function createPage(): Promise<{ readonly html: string; readonly script: Buffer }> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
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
    await app.inject({ url: '/docs/' }),
    await app.inject({ url: '/docs/js/scalar.js' }),
  ]
  await app.close()
  return { html: html.payload, script: script.rawPayload }
}
