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
      // A refusal does not change on retry; a lost connection may return.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.isOffline,
      staleTime: 10_000,
      refetchOnWindowFocus: true,
    },
    // Offline clicks fail at once, and do not run later in the background.
    mutations: { networkMode: 'always' },
  },
})

const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
// The scroll lock of dialogs reads the nonce here.
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
