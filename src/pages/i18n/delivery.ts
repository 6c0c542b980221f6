// The words of asking where to deliver, in both languages; those of its fields stand among all fields in texts.ts.
import type { Locale } from '../model.ts'

interface DeliveryWords {
  readonly title: string
  readonly deliverTo: string
  /** A link beside the address, and what it says to those who hear it alone. */
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
