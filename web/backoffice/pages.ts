// Every page behind the sign-in: its address, its place in the navigation, and the file it is in.
import type { ComponentType } from 'react'
import type { NavText } from './shell/texts.ts'

export interface PageEntry {
  /** Of a merchant (`/wallets/5/…`), of the operator (`/operator/…`), or one's own (`/account/…`). */
  readonly of: 'wallet' | 'operator' | 'own'
  /** Below that, such as `/payments` or `/payments/$id`. */
  readonly path: string
  /** Its place in the navigation; pages that others lead to have none. */
  readonly nav?: { readonly text: NavText; readonly group: 'main' | 'money' | 'more' }
  /** The file exports the page as `Page`. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>
}

export const pages: readonly PageEntry[] = [
  {
    of: 'wallet',
    path: '',
    nav: { text: 'home', group: 'main' },
    load: () => import('./pages/home/home-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/payments',
    nav: { text: 'payments', group: 'main' },
    load: () => import('./pages/payments/payments-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/payments/$id',
    load: () => import('./pages/payments/payment-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/team',
    nav: { text: 'team', group: 'more' },
    load: () => import('./pages/team/team-page.tsx'),
  },
]
