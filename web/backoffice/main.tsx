// Start of the backoffice in the browser.
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './backoffice.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api.ts'
import { keepLanguage, type Language, LanguageContext, preferredLanguage } from './i18n/language.ts'
import { openRowsByClick } from './kit/row-click.ts'
import { router } from './router.tsx'
import { readableColors, theme } from './theme.ts'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A refused request would be refused again. After a lost connection a retry may succeed.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.isOffline,
      staleTime: 10_000,
      refetchOnWindowFocus: true,
    },
    // Without a connection an action fails at once. Otherwise it could run later, when nobody expects it.
    mutations: { networkMode: 'always' },
  },
})

const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
// The library that locks the scrolling behind a dialog reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })

openRowsByClick()

function Backoffice() {
  const [language, setLanguage] = useState<Language>(preferredLanguage)
  useEffect(() => {
    document.documentElement.lang = language === 'pt' ? 'pt-PT' : 'en'
  }, [language])
  const chosen = useMemo(
    () => ({
      language,
      choose(next: Language) {
        keepLanguage(next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <LanguageContext value={chosen}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageContext>
    </MantineProvider>
  )
}

createRoot(document.querySelector('#backoffice') as HTMLElement).render(
  <StrictMode>
    <Backoffice />
  </StrictMode>,
)
