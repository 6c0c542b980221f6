// Script of the shop: card fields, single clicks, total and live updates.

const form = document.querySelector('[data-shop]')
if (form !== null) {
  for (const element of form.querySelectorAll('[data-with-script]')) element.hidden = false
  form.addEventListener('input', showTotal)
  // After Back the browser may have restored the typed quantities.
  showTotal()
  showCardFields()
}
// A double click must not pay twice.
for (const each of document.forms)
  each.addEventListener('submit', (event) => {
    each.inert = !event.defaultPrevented
  })
followChanges(document.querySelector('[data-timeline]'))

/** Shows the total. The server computes the amount of the payment itself. */
function showTotal() {
  const locale = document.documentElement.lang === 'pt' ? 'pt-PT' : 'en-IE'
  const euros = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
  let cents = 0
  for (const { validity, valueAsNumber, dataset } of form.querySelectorAll('input[data-price]'))
    if (validity.valid) cents += valueAsNumber * Number(dataset.price)
  for (const place of form.querySelectorAll('[data-total]')) place.textContent = euros.format(cents / 100)
}

/** Shows the card fields. The form sends only the encrypted card. */
function showCardFields() {
  const place = form.querySelector('[data-fields]')
  const broken = form.querySelector('[data-broken]')
  const complain = (message) => {
    broken.hidden = false
    broken.querySelector('span').textContent = message
  }
  const { SecureFields } = globalThis
  if (SecureFields === undefined) return complain('secure-fields.js')
  const { merchant, locale } = place.dataset
  const fields = SecureFields.createCardFields({ merchant, locale, appearance: appearance() })
  fields.on('error', ({ message }) => complain(message))
  fields.on('submit', () => form.requestSubmit(form.querySelector('[data-pays]')))
  fields.mount(place)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', () => fields.update({ appearance: appearance() }))

  let isEncrypting = false
  form.addEventListener('submit', async (event) => {
    const { submitter } = event
    if (!('encrypts' in submitter.dataset)) return
    event.preventDefault()
    if (isEncrypting) return
    isEncrypting = true
    try {
      const { newCardSecure } = await fields.encrypt()
      for (const [name, cipher] of Object.entries(newCardSecure)) {
        const input = form.querySelector(`input[name="${name}"]`)
        if (input !== null) input.value = cipher
      }
      form.action = submitter.formAction
      form.inert = true
      form.submit()
    } catch (error) {
      // The card fields themselves show errors of the card.
      if (error.code !== 'invalid_card') complain(error.message)
    }
    isEncrypting = false
  })
}

function appearance() {
  const probe = document.body.appendChild(document.createElement('i'))
  const colour = (name) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const [ink, muted, sheet, accent, wrong] = ['ink', 'muted', 'sheet', 'accent', 'wrong'].map(colour)
  probe.remove()
  const text = { colorText: ink, colorMuted: muted, colorAccent: accent, colorDanger: wrong }
  return { ...text, colorBackground: sheet, colorField: sheet, colorBorder: muted, radius: '0.6rem' }
}

/** After each event, loads the page and replaces the parts that have changed. */
function followChanges(timeline) {
  const source = new EventSource(timeline.dataset.events)
  let asked = 0
  const refresh = async () => {
    const own = ++asked
    const html = await fetch(location.href)
      .then((response) => response.text())
      .catch(() => '')
    // Another change came meanwhile, and loads the page again.
    if (own !== asked || html === '') return
    const page = new DOMParser().parseFromString(html, 'text/html')
    for (const entry of [...page.querySelectorAll('.entry')].reverse())
      if (document.getElementById(entry.id) === null) timeline.prepend(entry)
    for (const name of ['notice', 'orders', 'subscription', 'buttons', 'charges']) {
      const [old, current] = [document, page].map((one) => one.querySelector(`[data-${name}]`))
      // A part that has not changed stays, with the text that the customer typed.
      if (old !== null && current !== null && !old.isEqualNode(current)) old.replaceWith(current)
    }
  }
  source.addEventListener('open', refresh)
  source.addEventListener('message', refresh)
  // The page must close the connection: the back-forward cache would keep it open.
  addEventListener('pagehide', () => source.close())
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
}
