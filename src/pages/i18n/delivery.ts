// Texts of the delivery form.
import type { Locale } from '../model.ts'

const pt = {
  title: 'Para onde enviamos?',
  deliverTo: 'Entrega em',
  change: { short: 'Mudar', whole: 'Mudar a morada de entrega' },
}

export const deliveryWords: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    title: 'Where should it be delivered?',
    deliverTo: 'Delivery to',
    change: { short: 'Change', whole: 'Change the delivery address' },
  },
}
