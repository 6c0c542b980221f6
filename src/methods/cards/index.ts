// CC: payment cards.
export { cardPanel } from './panel.ts'
