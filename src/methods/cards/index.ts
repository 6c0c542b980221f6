// CC: payment cards.
export { createCardRail } from './charging.ts'
export { cardPanel } from './panel.ts'
