// Notice of simulated money on the gateway's pages.
import type { SimulatedMoney } from '../../src/rails/index.ts'

export const simulated: SimulatedMoney = {
  pt: {
    banner: 'Sandbox: não há dinheiro a sério.',
    cards: { text: 'Cartões de teste', path: '/sandbox' },
    hints: {
      WALLET: 'Sandbox: ana@demo.example; o PIN está em demo.json.',
      SEPA: 'Sandbox: PT50 0002 0123 1234 5678 9015 4 paga sempre.',
    },
    answerDebit: { text: 'Sandbox: responder pelo banco', path: '/sandbox/bank' },
    answerPhone: { text: 'Sandbox: abrir este telemóvel', path: '/sandbox/phone' },
    payReference: { text: 'Pagar no homebanking da sandbox', path: '/sandbox/home-banking' },
  },
  en: {
    banner: 'Sandbox: no real money moves.',
    cards: { text: 'Test cards', path: '/sandbox' },
    hints: {
      WALLET: 'Sandbox: ana@demo.example; the PIN is in demo.json.',
      SEPA: 'Sandbox: PT50 0002 0123 1234 5678 9015 4 always pays.',
    },
    answerDebit: { text: 'Sandbox: answer as the bank', path: '/sandbox/bank' },
    answerPhone: { text: 'Sandbox: open this phone', path: '/sandbox/phone' },
    payReference: { text: 'Pay it in the sandbox’s home banking', path: '/sandbox/home-banking' },
  },
}
