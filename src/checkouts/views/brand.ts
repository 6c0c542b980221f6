// What hosted pages show of their merchant's branding.

import type { Brand } from '../../pages/index.ts'
import { colourPath, logoPath, type Wallet } from '../../wallets/index.ts'

export function brandOf(wallet: Wallet): Brand {
  const { logo, brandColour, termsUrl, privacyUrl, supportUrl, supportEmail, supportPhone } = wallet
  return {
    logo: logo === null ? undefined : logoPath(logo),
    styleSheet: brandColour === null ? undefined : colourPath(brandColour),
    links: { terms: termsUrl, privacy: privacyUrl, support: supportUrl },
    email: supportEmail,
    phone: supportPhone,
  }
}
