// `secure-fields.js`, the script on the merchant's page: everything about cards happens in the frame it makes.
import { type CardFields, type CardFieldsOptions, createCardFields } from './card-fields.ts'

/** Where the script comes from is where the frame is. */
const script = document.currentScript
const ownBaseUrl =
  script instanceof HTMLScriptElement ? /^(.+)\/secure-fields\/v1\//.exec(script.src)?.[1] : undefined

Object.assign(globalThis, {
  SecureFields: {
    createCardFields: (options: CardFieldsOptions): CardFields => createCardFields(options, ownBaseUrl),
  },
})
