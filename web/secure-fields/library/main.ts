// Script `secure-fields.js` for the merchant's page.
import { type CardFields, type CardFieldsOptions, createCardFields } from './card-fields.ts'

/** The frame has the origin of the script. */
const script = document.currentScript
const ownBaseUrl =
  script instanceof HTMLScriptElement ? /^(.+)\/secure-fields\/v1\//.exec(script.src)?.[1] : undefined

Object.assign(globalThis, {
  SecureFields: {
    createCardFields: (options: CardFieldsOptions): CardFields => createCardFields(options, ownBaseUrl),
  },
})
