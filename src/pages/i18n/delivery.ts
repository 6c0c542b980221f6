// Texts of the delivery form.
import type { Locale } from '../model.ts'

interface DeliveryWords {
  readonly title: string
  readonly deliverTo: string
  readonly change: { readonly short: string; readonly whole: string }
}

export const deliveryWords: Readonly<Record<Locale, DeliveryWords>> = {
  pt: {
    title: 'Para onde enviamos?',
    deliverTo: 'Entrega em',
    change: { short: 'Mudar', whole: 'Mudar a morada de entrega' },
  },
  en: {
    title: 'Where should it be delivered?',
    deliverTo: 'Delivery to',
    change: { short: 'Change', whole: 'Change the delivery address' },
  },
}
