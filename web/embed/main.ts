// Script `checkout.js` for the shop's page.
import { type EmbedOptions, openCheckout } from './open.ts'

/** Links to other hosts stay links: a changed link must not open a foreign page inside the shop. */
const script = document.currentScript
const gateway = script instanceof HTMLScriptElement ? new URL(script.src).origin : undefined

function open(options: EmbedOptions) {
  if (gateway === undefined) throw new Error('load checkout.js by a script element without type="module"')
  return openCheckout(options, gateway)
}

Object.assign(globalThis, { Comporta: { open } })

const usesAnotherTab = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey

document.addEventListener('click', (event) => {
  const [target] = event.composedPath()
  const link = target instanceof Element ? target.closest('a[data-comporta]') : null
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || usesAnotherTab(event)) return
  if (link.origin !== gateway) return
  const { comporta: element, comportaRedirect, comportaLocale: locale } = link.dataset
  open({
    ...{ url: link.href, element: element || undefined, locale },
    redirect: comportaRedirect !== 'off',
    onEvent: (detail) => link.dispatchEvent(new CustomEvent('comporta', { bubbles: true, detail })),
  })
  event.preventDefault()
})
