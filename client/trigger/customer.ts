// Plays a customer without JavaScript: opens pages of the sandbox and fills in their forms.
import { CliError } from '../../src/cli/session.ts'
import { boundedFetch } from '../../src/http/bounded-fetch.ts'

export interface Page {
  readonly url: string
  readonly html: string
}

export interface Customer {
  open(url: string): Promise<Page>
  /** Posts a form. Returns the page behind all redirects; of another site only its address. */
  send(url: string, fields: URLSearchParams): Promise<Page>
  /** Submits the form whose action contains `part`. Throws {@link CliError} if the page has no such form. */
  submit(page: Page, part: string, fields?: Readonly<Record<string, string>>): Promise<Page>
  linkOf(page: Page, part: string): string | undefined
  /** Goes through the issuer's pages to their end, and authenticates successfully. */
  passIssuer(page: Page): Promise<Page>
  /** Pays a checkout by test card, and goes through the issuer's pages. */
  payByCard(checkoutUrl: string, number: string): Promise<Page>
}

interface Form {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

const redirectsMax = 10
/** The pages are the checkout, the issuer's browser check, its challenge, and the return. */
const issuerPagesMax = 6
const issuerForms = /\/bank\b|\/challenge\b|\/secure\/|\/3ds\/return\//
const typed = { name: 'Ana Silva', expiry: '12 / 39', vcode: '123' }

export function createCustomer(stopped: AbortSignal): Customer {
  const cookies = new Map<string, string>()

  async function visit(url: string, form?: URLSearchParams): Promise<Page> {
    let next = url
    let body = form
    for (let hop = 0; hop < redirectsMax; hop++) {
      const response = await boundedFetch(next, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        signal: stopped,
        headers: {
          accept: 'text/html',
          'accept-language': 'en',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        ...(body !== undefined && { body }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const location = response.headers.get('location')
      if (location === null) return { url: next, html: await response.text() }
      await response.body?.cancel()
      const target = new URL(location, next)
      if (target.origin !== new URL(url).origin) return { url: target.href, html: '' }
      next = target.href
      body = undefined
    }
    throw new CliError('failed', `${url} has too many redirects`)
  }

  async function submitForm(page: Page, form: Form, fields: Readonly<Record<string, string>>): Promise<Page> {
    return visit(new URL(form.action, page.url).href, new URLSearchParams({ ...form.fields, ...fields }))
  }

  const submitTo: Customer['submit'] = async (page, part, fields = {}) => {
    const form = formsOf(page).find(({ action }) => action.includes(part))
    if (form === undefined) throw new CliError('failed', `${page.url} offers no ${part.replace('/', '')}`)
    return submitForm(page, form, fields)
  }

  async function passIssuer(first: Page): Promise<Page> {
    let page = first
    for (let step = 0; step < issuerPagesMax; step++) {
      const next = formsOf(page).find(({ action }) => issuerForms.test(action))
      if (next === undefined) break
      page = await submitForm(page, next, {})
    }
    return page
  }

  return {
    open: (url) => visit(url),
    send: visit,
    submit: submitTo,
    passIssuer,
    linkOf(page, part) {
      const links = [...page.html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href = '']) => decode(href))
      const link = links.find((href) => href.includes(part))
      return link === undefined ? undefined : new URL(link, page.url).href
    },
    async payByCard(checkoutUrl, number) {
      return passIssuer(await submitTo(await visit(checkoutUrl), '/card', { ...typed, number }))
    },
  }
}

function formsOf({ html }: Page): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', inner = '']) => {
    const inputs = [...inner.matchAll(/<input\b([^>]*)>/g)].map(([, text = '']) => attributesOf(text))
    const fields = inputs.flatMap(({ name, value = '', type, checked }) =>
      name === undefined || type === 'submit' || (type === 'radio' && checked === undefined)
        ? []
        : [[name, value] as const],
    )
    return { action: attributesOf(attributes).action ?? '', fields: Object.fromEntries(fields) }
  })
}

function attributesOf(text: string): Record<string, string> {
  const found = text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, decode(value)]))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decode(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
}
