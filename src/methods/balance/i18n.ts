// The texts of WALLET.
import type { Locale } from '../../pages/index.ts'

const pt = {
  explained: 'Entre com o e-mail e o PIN da sua carteira. O valor sai logo do saldo.',
  explainedAccepting:
    'Entre com o e-mail e o PIN da sua carteira. Agora não sai nada; as cobranças saem depois do saldo.',
  wrongPin: {
    title: 'O e-mail ou o PIN não está certo',
    detail:
      'Não lhe foi cobrado nada. Confirme os dois: ao terceiro PIN errado a carteira fica bloqueada 24 horas.',
  },
  locked: {
    title: 'A carteira está bloqueada',
    detail:
      'Não lhe foi cobrado nada. O PIN foi errado três vezes. Pode usá-la de novo dentro de 24 horas; até lá, escolha outro método.',
  },
  notEnough: {
    title: 'O saldo não chega',
    detail: 'Não lhe foi cobrado nada. Carregue a carteira por transferência ou escolha outro método.',
  },
}

export const balanceTexts: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    explained: 'Log in with the e-mail and the PIN of your wallet. The amount leaves the balance at once.',
    explainedAccepting:
      'Log in with the e-mail and the PIN of your wallet. Nothing leaves it now; charges are taken from the balance later.',
    wrongPin: {
      title: 'The e-mail or the PIN is not right',
      detail: 'You have not been charged. Check both: the third wrong PIN locks the wallet for 24 hours.',
    },
    locked: {
      title: 'The wallet is locked',
      detail:
        'You have not been charged. The PIN was wrong three times. You can use the wallet again within 24 hours; choose another method until then.',
    },
    notEnough: {
      title: 'The balance is too small',
      detail: 'You have not been charged. Top the wallet up by transfer or choose another method.',
    },
  },
}
