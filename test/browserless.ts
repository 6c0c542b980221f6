// A customer without JavaScript, for tests that open pages and submit forms.
import { decode, formsOf, linksOf, type PageForm } from './verification/world/html.ts'

export type { PageForm } from './verification/world/html.ts'

export interface Page {
  readonly url: string
  readonly status: number
  readonly html: string
  readonly headers: Headers
  readonly forms: readonly PageForm[]
  readonly links: readonly string[]
  readonly text: string
  readonly cookies: readonly Cookie[]
}

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly text: string
}

const redirectsMax = 10

export interface Visit {
  readonly language?: string
  readonly within?: string
  readonly cookies?: readonly Cookie[]
}

export async function openPage(url: string, visit: Visit = {}, init: RequestInit = {}): Promise<Page> {
  let next = url
  let request: RequestInit = init
  let cookies = visit.cookies ?? []
  for (let hop = 0; hop < redirectsMax; hop++) {
    const cookie = cookieHeader(cookies, next)
    const headers = {
      accept: 'text/html',
      'accept-language': visit.language ?? 'en',
      ...(cookie === '' ? {} : { cookie }),
      ...request.headers,
    }
    const response = await fetch(next, { ...request, headers, redirect: 'manual' })
    cookies = cookiesAfter(cookies, response.headers.getSetCookie())
    const location = response.headers.get('location')
    if (location === null || response.status < 300 || response.status >= 400)
      return pageOf(next, response, cookies)
    next = new URL(location, next).href
    request = {}
    if (visit.within !== undefined && new URL(next).origin !== visit.within) {
      return {
        url: next,
        status: response.status,
        html: '',
        headers: response.headers,
        forms: [],
        links: [],
        text: '',
        cookies,
      }
    }
  }
  throw new Error(`more than ${redirectsMax} redirects from ${url}`)
}

export async function submit(
  page: Page,
  form: PageForm,
  fields: Record<string, string> = {},
  visit: Visit = {},
): Promise<Page> {
  const target = new URL(form.action, page.url)
  const next = { cookies: page.cookies, ...visit }
  const values = new URLSearchParams({ ...form.fields, ...fields })
  if (form.method === 'get') {
    target.search = values.toString()
    return openPage(target.href, next)
  }
  return openPage(target.href, next, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: values.toString(),
  })
}

export function formTo(page: Page, part: string): PageForm {
  const form = page.forms.find(({ action }) => action.includes(part))
  if (form === undefined)
    throw new Error(`no form to ${part} on ${page.url} (${page.status}): ${page.text.slice(0, 400)}`)
  return form
}

function cookieHeader(cookies: readonly Cookie[], url: string): string {
  const { pathname } = new URL(url)
  return cookies
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

function cookiesAfter(before: readonly Cookie[], set: readonly string[]): Cookie[] {
  const cookies = new Map(before.map((cookie) => [`${cookie.name} ${cookie.path}`, cookie]))
  for (const text of set) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    const path = /; Path=([^;]*)/.exec(text)?.[1] ?? '/'
    if (/; Max-Age=0/.test(text)) cookies.delete(`${name} ${path}`)
    else cookies.set(`${name} ${path}`, { name, value, path, text })
  }
  return [...cookies.values()]
}

async function pageOf(url: string, response: Response, cookies: readonly Cookie[]): Promise<Page> {
  const html = await response.text()
  const text = html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
  return {
    url,
    status: response.status,
    html,
    headers: response.headers,
    forms: formsOf(html),
    links: linksOf(html),
    text: decode(text).trim(),
    cookies,
  }
}
