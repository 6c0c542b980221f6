// A customer without JavaScript over a wire: opens pages, finds their forms, submits them, follows redirects.
import type { Json } from './notes.ts'
import type { Wire, WireRequest } from './wire.ts'

export interface Form {
  readonly action: string
  readonly method: 'get' | 'post'
  /** Hidden and prefilled fields. */
  readonly fields: Readonly<Record<string, string>>
}

export interface Page {
  readonly path: string
  readonly status: number
  readonly forms: readonly Form[]
  readonly links: readonly string[]
  readonly cookies: Readonly<Record<string, string>>
}

const redirectsMax = 10
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

/** Opens an address of the gateway; undefined when there was no answer, or it leads to somebody else. */
export async function openPage(
  wire: Wire,
  address: string,
  before: Page['cookies'] = {},
  asked: Partial<WireRequest> = {},
): Promise<Page | undefined> {
  let path = pathOf(wire, address)
  let request = asked
  let cookies = before
  for (let hop = 0; hop < redirectsMax && path !== undefined; hop++) {
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const headers = {
      accept: 'text/html',
      'accept-language': 'en',
      ...(cookie === '' ? {} : { cookie }),
      ...request.headers,
    }
    const answer = await wire.send({ method: 'GET', ...request, path, headers })
    if (answer === undefined) return undefined
    cookies = { ...cookies, ...cookiesIn(answer.headers['set-cookie']) }
    const { location } = answer.headers
    if (location === undefined || answer.status < 300 || answer.status > 399)
      return {
        path,
        status: answer.status,
        forms: formsOf(answer.text),
        links: linksOf(answer.text),
        cookies,
      }
    path = pathOf(wire, location)
    request = {}
  }
  return undefined
}

/** Submits a form of `page`, with `fields` typed in. */
export function submit(wire: Wire, page: Page, form: Form, fields: Json = {}): Promise<Page | undefined> {
  const values = new URLSearchParams({ ...form.fields, ...fields }).toString()
  const action = form.action === '' ? page.path : form.action
  if (form.method === 'get') return openPage(wire, `${action.split('?')[0]}?${values}`, page.cookies)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return openPage(wire, action, page.cookies, { method: 'POST', headers, body: values })
}

/** The first form whose action contains `part`. */
export function formTo(page: Page, part: string): Form | undefined {
  return page.forms.find(({ action }) => action.includes(part))
}

/** The path of an address of the gateway; undefined for another host's. */
function pathOf({ baseUrl }: Wire, address: string): string | undefined {
  const { origin } = new URL(baseUrl)
  const url = new URL(address, origin)
  return url.origin === origin ? url.pathname + url.search : undefined
}

/** Several cookies are one text with line breaks between them. */
function cookiesIn(text = ''): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(?:^|\n)([^=;\n]+)=([^;\n]*)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b([^>]*)>/g)].map(([, attributes = '']) => attributesOf(attributes).href ?? '')
}

function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', inner = '']) => {
    const { action = '', method = 'get' } = attributesOf(attributes)
    const fields: Record<string, string> = {}
    for (const [, text = ''] of inner.matchAll(/<input\b([^>]*)>/g)) {
      const { name, value = '', type, checked } = attributesOf(text)
      if (name === undefined || type === 'submit' || (type === 'radio' && checked === undefined)) continue
      fields[name] = value
    }
    return { action, method: method.toLowerCase() === 'post' ? 'post' : 'get', fields }
  })
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, decoded(value)]),
  )
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16))
    return named[name] ?? whole
  })
}
