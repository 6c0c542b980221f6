// What the pages do where scripts run: the card fields, one payment per click, the total, and the timeline as it happens.

/** Older entries than the server keeps are taken off. */
const entriesMax = 100
/** Parts of the page that the server sends anew when they change. */
const places = ['notice', 'orders', 'subscription', 'acting', 'charges']

for (const element of document.querySelectorAll('[data-with-script]')) element.hidden = false
for (const form of document.querySelectorAll('form[data-paying]')) payOnce(form)

const basket = document.querySelector('[data-shop]')
if (basket !== null) {
  keepTotal(basket)
  showCardFields(basket)
}
const timeline = document.querySelector('[data-timeline]')
if (timeline !== null) followTimeline(timeline)

/** Says at once that the payment is on its way, and lets no second click through. */
function payOnce(form) {
  // Asked each time: the server may have sent others meanwhile.
  const buttons = () => form.querySelectorAll('button')
  const labels = new Map()

  form.addEventListener('submit', (event) => {
    if (form.dataset.busy !== undefined) return event.preventDefault()
    form.dataset.busy = ''
    for (const button of buttons()) button.setAttribute('aria-disabled', 'true')
    labels.set(event.submitter, event.submitter.innerHTML)
    event.submitter.textContent = form.dataset.paying
  })

  // The card was not complete, or the browser came back to the page as it was left.
  const again = () => {
    delete form.dataset.busy
    for (const button of buttons()) button.removeAttribute('aria-disabled')
    for (const [button, label] of labels) button.innerHTML = label
    labels.clear()
  }
  form.addEventListener('shop:again', again)
  addEventListener('pageshow', ({ persisted }) => persisted && again())
}

/** Keeps the basket's total up to date while quantities change; the server works it out for itself. */
function keepTotal(form) {
  const locale = document.documentElement.lang === 'pt' ? 'pt-PT' : 'en-IE'
  const euros = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
  const show = () => {
    let cents = 0
    for (const { validity, valueAsNumber, dataset } of form.querySelectorAll('input[data-price]'))
      if (validity.valid) cents += valueAsNumber * Number(dataset.price)
    for (const place of form.querySelectorAll('[data-total]')) place.textContent = euros.format(cents / 100)
  }
  form.addEventListener('input', show)
  // The browser may bring back quantities that were typed before.
  show()
}

/** Secure form fields: a card is typed into the gateway's frame, and the form carries ciphertext. */
function showCardFields(form) {
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
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    fields.update({ appearance: appearance() })
  })

  form.addEventListener('submit', (event) => {
    const { submitter, defaultPrevented } = event
    if (defaultPrevented || !('encrypts' in submitter.dataset)) return
    event.preventDefault()
    void encryptAndSend(submitter)
  })

  async function encryptAndSend(button) {
    try {
      const { newCardSecure } = await fields.encrypt()
      for (const [name, cipher] of Object.entries(newCardSecure)) {
        const input = form.querySelector(`input[name="${name}"]`)
        if (input !== null) input.value = cipher
      }
      form.action = button.formAction
      form.submit()
    } catch (error) {
      form.dispatchEvent(new Event('shop:again'))
      // What is wrong with the card, its fields say themselves.
      if (error.code !== 'invalid_card') complain(error.message)
    }
  }
}

/** The look of the page around the fields. */
function appearance() {
  const style = getComputedStyle(document.documentElement)
  const colour = (name) => style.getPropertyValue(name).trim()
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

/** Requests and callbacks as they happen: the server sends each as HTML, already escaped. */
function followTimeline(list) {
  const { events, last } = list.dataset
  const source = new EventSource(`${events}&after=${last}`)
  source.addEventListener('entry', ({ data }) => {
    const [entry] = elementsOf(data)
    // After a broken connection the server repeats what it is not sure of.
    if (entry === undefined || document.getElementById(entry.id) !== null) return
    entry.classList.add('new')
    list.prepend(entry)
    while (list.children.length > entriesMax) list.lastElementChild.remove()
  })
  for (const name of places) {
    source.addEventListener(name, ({ data }) => {
      const place = document.querySelector(`[data-${name}]`)
      if (place !== null) show(place, elementsOf(data))
    })
  }
  // A page that the browser keeps for going back holds no connection open.
  addEventListener('pagehide', () => source.close())
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
}

/** What is there already stays, with what was typed into it, and with the button that is being pressed. */
function show(place, elements) {
  const shown = [...place.children]
  const isShown =
    shown.length === elements.length && elements.every((element, at) => element.isEqualNode(shown[at]))
  if (!isShown) place.replaceChildren(...elements)
}

function elementsOf(html) {
  return [...new DOMParser().parseFromString(html, 'text/html').body.children]
}
