// A customer without JavaScript, whose requests go over a wire.
import { formsOf, linksOf, type PageForm } from './html.ts'
import type { Json } from './notes.ts'
import type { Wire, WireRequest } from './wire.ts'

export interface Page {
  readonly path: string
  readonly status: number
  readonly forms: readonly PageForm[]
  readonly links: readonly string[]
  readonly cookies: Readonly<Record<string, string>>
}

const redirectsMax = 10

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

export function submit(wire: Wire, page: Page, form: PageForm, fields: Json = {}): Promise<Page | undefined> {
  const values = new URLSearchParams({ ...form.fields, ...fields }).toString()
  const action = form.action === '' ? page.path : form.action
  if (form.method === 'get') return openPage(wire, `${action.split('?')[0]}?${values}`, page.cookies)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return openPage(wire, action, page.cookies, { method: 'POST', headers, body: values })
}

export function formTo(page: Page, part: string): PageForm | undefined {
  return page.forms.find(({ action }) => action.includes(part))
}

function pathOf({ baseUrl }: Wire, address: string): string | undefined {
  const { origin } = new URL(baseUrl)
  const url = new URL(address, origin)
  return url.origin === origin ? url.pathname + url.search : undefined
}

function cookiesIn(text = ''): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(?:^|\n)([^=;\n]+)=([^;\n]*)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}
