// Routes of the backoffice. The code of a page loads when the user first opens it.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { pages } from './pages.ts'
import { NotFound, PageError } from './shell/problems.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageError })

const first = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/first-page.tsx'), 'FirstPage'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./pages/sign-in/join-page.tsx'), 'JoinPage'),
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const prefixes = { wallet: '/wallets/$wallet', operator: '/operator', own: '/account' } as const

const children = pages.map(({ of, path, load }) =>
  createRoute({
    getParentRoute: () => shell,
    path: `${prefixes[of]}${path}`,
    component: lazyRouteComponent(load, 'Page'),
  }),
)

export const router = createRouter({
  routeTree: root.addChildren([first, signIn, join, shell.addChildren(children)]),
  basepath: '/backoffice',
  defaultPreload: 'intent',
  scrollRestoration: true,
})
