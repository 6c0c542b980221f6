// Drawings of our own, as path data without fill: our mark, and a neutral picture of each payment method.
import type { DrawnMethod } from '../model.ts'

/** The gate of the mark, in 32 × 32. */
export const gateDrawing = 'M8 7v18M24 7v18M8 11h16'
/** The water under the gate. */
export const waterDrawing = 'M11.5 20c1.5-1.5 3-1.5 4.5 0s3 1.5 4.5 0'

// Payment methods, each in 24 × 16. None is anybody's logo.

/** A card with its stripe. */
export const cardDrawing =
  'M6 2.5h12a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 12V4A1.5 1.5 0 0 1 6 2.5zM4.5 6h15M7.5 10.5h3'
/** A cash machine that shows a reference and prints a slip. */
export const machineDrawing = 'M5.5 2.5h13v6h-13zM8 5.5h1M11.5 5.5h1M15 5.5h1M8.5 8.5v5h7v-5M10.5 11.5h3'
/** A purse with its clasp. */
export const walletDrawing =
  'M18.5 5V3a1 1 0 0 0-1-1H6a1.5 1.5 0 0 0 0 3h12a1.5 1.5 0 0 1 1.5 1.5v6A1.5 1.5 0 0 1 18 14H6a1.5 1.5 0 0 1-1.5-1.5v-9M16 9.5h.5'
/** A phone with radio waves. */
const phoneDrawing =
  'M10 1.5h4a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-4A1.5 1.5 0 0 1 8.5 13V3A1.5 1.5 0 0 1 10 1.5zM11.5 12h1M18 5.5a4 4 0 0 1 0 5M6 5.5a4 4 0 0 0 0 5'
/** A globe: something online. */
const globeDrawing =
  'M12 2a6 6 0 0 1 0 12a6 6 0 0 1 0-12zM6 8h12M12 2c2 1.6 3 3.6 3 6s-1 4.4-3 6c-2-1.6-3-3.6-3-6s1-4.4 3-6z'
/** A euro between two arrows: what the bank fetches. */
const debitDrawing = 'M15.5 4.7a4.2 4.2 0 1 0 0 6.6M6.5 7h6M6.5 9h6M18 4.5l2.5 3.5-2.5 3.5'
/** A bank with its columns. */
const bankDrawing = 'M5 6l7-4 7 4zM7 6v6M10.5 6v6M13.5 6v6M17 6v6M4.5 13.5h15'

export const methodDrawings: Readonly<Record<DrawnMethod, string>> = {
  CC: cardDrawing,
  MB: machineDrawing,
  MBWAY: phoneDrawing,
  PAYPAL: globeDrawing,
  WALLET: walletDrawing,
  SEPA: debitDrawing,
  BANK: bankDrawing,
}
