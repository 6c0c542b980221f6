// Pages behind the sign-in.
import type { ComponentType } from 'react'
import type { NavText } from './shell/i18n.ts'

export interface PageEntry {
  /** Pages of a merchant (`/wallets/5/…`), of the operator (`/operator/…`) or of the user (`/account/…`). */
  readonly of: 'wallet' | 'operator' | 'own'
  /** The rest of the path, such as `/payments` or `/payments/$id`. */
  readonly path: string
  readonly nav?: { readonly text: NavText; readonly group: 'main' | 'money' | 'more' }
  /** Abilities that allow a change on this page. A user without all of them sees a notice. */
  readonly changes?: readonly string[]
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
    changes: ['refund', 'authorizations', 'split'],
    nav: { text: 'payments', group: 'main' },
    load: () => import('./pages/payments/payments-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/payments/$id',
    changes: ['refund', 'authorizations', 'split'],
    load: () => import('./pages/payments/payment-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/references',
    changes: ['mb_pay', 'mb_reference'],
    nav: { text: 'references', group: 'main' },
    load: () => import('./pages/recurring/references-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/authorizations',
    changes: ['authorizations'],
    nav: { text: 'authorizations', group: 'main' },
    load: () => import('./pages/recurring/authorizations-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/subscriptions',
    nav: { text: 'subscriptions', group: 'main' },
    load: () => import('./pages/recurring/subscriptions-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/subscriptions/$id',
    changes: ['subscriptions'],
    load: () => import('./pages/recurring/subscription-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/auto-charges',
    nav: { text: 'autoCharges', group: 'main' },
    load: () => import('./pages/recurring/auto-charges-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/mandates',
    changes: ['mandates'],
    nav: { text: 'mandates', group: 'main' },
    load: () => import('./pages/recurring/mandates-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/cards',
    changes: ['card'],
    nav: { text: 'cards', group: 'main' },
    load: () => import('./pages/recurring/cards-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/customers',
    nav: { text: 'customers', group: 'main' },
    load: () => import('./pages/customers/customers-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/customers/$id',
    changes: ['customers'],
    load: () => import('./pages/customers/customer-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/developers',
    changes: ['keys'],
    nav: { text: 'developers', group: 'more' },
    load: () => import('./pages/developers/keys-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/developers/callbacks',
    changes: ['keys', 'callbacks'],
    load: () => import('./pages/developers/callbacks-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/developers/events',
    changes: ['callbacks'],
    load: () => import('./pages/developers/events-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/developers/events/$id',
    changes: ['callbacks'],
    load: () => import('./pages/developers/event-page.tsx'),
  },
  { of: 'wallet', path: '/developers/requests', load: () => import('./pages/developers/requests-page.tsx') },
  {
    of: 'wallet',
    path: '/developers/requests/$id',
    load: () => import('./pages/developers/request-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/links',
    changes: ['checkout'],
    nav: { text: 'links', group: 'main' },
    load: () => import('./pages/links/links-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/mail',
    changes: ['mail'],
    nav: { text: 'mail', group: 'more' },
    load: () => import('./pages/mail/mail-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/settings',
    changes: ['settings'],
    nav: { text: 'settings', group: 'more' },
    load: () => import('./pages/settings/settings-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/balance',
    nav: { text: 'balance', group: 'money' },
    load: () => import('./pages/money/balance-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/statement',
    nav: { text: 'statement', group: 'money' },
    load: () => import('./pages/money/statement-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/statement/$day',
    load: () => import('./pages/money/statement-day-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/fees',
    nav: { text: 'fees', group: 'money' },
    load: () => import('./pages/money/fees-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/payouts',
    changes: ['payouts'],
    nav: { text: 'payouts', group: 'money' },
    load: () => import('./pages/money/payouts-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/payouts/$id',
    load: () => import('./pages/money/payout-page.tsx'),
  },
  {
    of: 'wallet',
    path: '/team',
    changes: ['team'],
    nav: { text: 'team', group: 'more' },
    load: () => import('./pages/team/team-page.tsx'),
  },
  {
    of: 'operator',
    path: '',
    nav: { text: 'home', group: 'main' },
    load: () => import('./pages/operator/system/home-page.tsx'),
  },
  { of: 'own', path: '/security', load: () => import('./pages/security/security-page.tsx') },
  {
    of: 'operator',
    path: '/merchants',
    nav: { text: 'merchants', group: 'main' },
    load: () => import('./pages/operator/merchants-page.tsx'),
  },
  { of: 'operator', path: '/merchants/$id', load: () => import('./pages/operator/merchant-page.tsx') },
  {
    of: 'operator',
    path: '/suspense',
    nav: { text: 'suspense', group: 'money' },
    load: () => import('./pages/operator/money/suspense-page.tsx'),
  },
  {
    of: 'operator',
    path: '/bank',
    nav: { text: 'bank', group: 'money' },
    load: () => import('./pages/operator/money/bank-page.tsx'),
  },
  {
    of: 'operator',
    path: '/queues',
    nav: { text: 'queues', group: 'more' },
    load: () => import('./pages/operator/system/queues-page.tsx'),
  },
  {
    of: 'operator',
    path: '/deliveries',
    nav: { text: 'deliveries', group: 'more' },
    load: () => import('./pages/operator/system/deliveries-page.tsx'),
  },
  {
    of: 'operator',
    path: '/rails',
    nav: { text: 'rails', group: 'more' },
    load: () => import('./pages/operator/system/rails-page.tsx'),
  },
  {
    of: 'operator',
    path: '/keys',
    nav: { text: 'keys', group: 'more' },
    load: () => import('./pages/operator/system/keys-page.tsx'),
  },
  {
    of: 'operator',
    path: '/audit',
    nav: { text: 'audit', group: 'more' },
    load: () => import('./pages/operator/audit-page.tsx'),
  },
  {
    of: 'operator',
    path: '/actions',
    nav: { text: 'actions', group: 'more' },
    load: () => import('./pages/operator/actions-page.tsx'),
  },
]
