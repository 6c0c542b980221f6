// Secure form fields on the shop's page: a card is typed into the gateway's frame, and the form carries ciphertext.
import { find, findAll } from '../checkout/dom.ts'
import type { CardFields, CardFieldsOptions } from '../secure-fields/library/card-fields.ts'
import type { Appearance } from '../secure-fields/messages.ts'

/** What the gateway's library adds to the page. */
declare const SecureFields: { createCardFields(options: CardFieldsOptions): CardFields } | undefined

export function showCardFields(form: HTMLFormElement): void {
  const place = find('[data-fields]', HTMLElement, form)
  const broken = find('[data-broken]', HTMLElement, form)
  if (place === undefined || broken === undefined) return
  const tell = (message: string) => {
    broken.hidden = false
    const text = find('span', HTMLElement, broken)
    if (text !== undefined) text.textContent = message
  }
  if (typeof SecureFields === 'undefined') return tell('secure-fields.js')

  const { merchant = '', locale } = place.dataset
  const fields = SecureFields.createCardFields({ merchant, locale, appearance: appearance() })
  fields.on('error', ({ message }) => tell(message))
  fields.on('submit', () => form.requestSubmit(find('[data-pays]', HTMLButtonElement, form)))
  fields.mount(place)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    void fields.update({ appearance: appearance() })
  })

  form.addEventListener('submit', (event) => {
    const { submitter, defaultPrevented } = event
    if (defaultPrevented || !(submitter instanceof HTMLButtonElement) || !('encrypts' in submitter.dataset))
      return
    event.preventDefault()
    void send(submitter)
  })

  async function send(button: HTMLButtonElement): Promise<void> {
    try {
      const { newCardSecure } = await fields.encrypt()
      for (const [name, cipher] of Object.entries(newCardSecure)) {
        for (const input of findAll(`input[name="${name}"]`, HTMLInputElement, form)) input.value = cipher
      }
      form.action = button.formAction
      form.submit()
    } catch (error) {
      form.dispatchEvent(new Event('shop:again'))
      // What is wrong with the card, its fields say themselves.
      const { code, message } = error as { code?: string; message: string }
      if (code !== 'invalid_card') tell(message)
    }
  }
}

/** The look of the page around the fields. */
function appearance(): Appearance {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return {
    colorText: colour('--ink'),
    colorMuted: colour('--muted'),
    colorBackground: colour('--sheet'),
    colorField: colour('--sheet'),
    colorBorder: colour('--muted'),
    colorAccent: colour('--accent'),
    colorDanger: colour('--wrong'),
    radius: '0.6rem',
  }
}
