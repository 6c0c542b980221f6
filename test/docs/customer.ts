// The reader as customer: opens pages, completes them, and answers the phone.
import { openPage, type Page, submit } from '../browserless.ts'

const pagesMax = 8
const ofTheBank = /\/bank\b|\/challenge\b|\/secure\/|\/3ds\/return\//

/** Opens an address that a customer is sent to, types a card if the page asks for one, and continues to the end. */
export async function payAt(
  url: string,
  number: string,
  code = '',
  choices: Record<string, string> = {},
): Promise<Page> {
  let page = await openPage(url)
  const card = page.forms.find(({ action }) => /\/card\b/.test(action))
  if (card !== undefined)
    page = await submit(page, card, {
      number,
      name: 'Ana Silva',
      expiry: '12 / 35',
      vcode: '123',
      ...choices,
    })
  for (let step = 0; step < pagesMax; step++) {
    const next = page.forms.find(({ action }) => ofTheBank.test(action))
    if (next === undefined) break
    page = await submit(page, next, 'otp' in next.fields ? { otp: code } : {})
  }
  return page
}

/** Types an account on the page of a refund, and confirms it. */
export async function nameAccountAt(url: string, iban: string): Promise<Page> {
  const form = await openPage(url)
  const review = await submit(form, form.forms[0] as never, { iban, holder: 'Ana Silva' })
  return submit(review, review.forms[0] as never)
}

/** Approves the request on the phone, on the gateway at `origin`. */
export async function approveOn(phone: string, origin: string): Promise<void> {
  const address = `${origin}/sandbox/api/phones/${phone}`
  const { requests } = (await (await fetch(address)).json()) as { requests: { id: string; state: string }[] }
  const asked = requests.find(({ state }) => state === 'PENDING')
  if (asked === undefined) throw new Error(`${phone} is asked nothing`)
  const headers = { 'content-type': 'application/json' }
  await fetch(`${address}/requests/${asked.id}/approve`, { method: 'POST', headers, body: '{}' })
}
