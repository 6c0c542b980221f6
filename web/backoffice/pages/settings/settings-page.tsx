// Settings of the merchant.
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SettingsAnswer } from '../../../../src/backoffice/contract/settings.ts'
import { read } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { Loaded, PageHead } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import { Branding } from './branding.tsx'
import { Company, Iban, Stores } from './company.tsx'
import { settingsTexts } from './i18n.ts'
import { Limits, Methods, Refunds, Splits } from './selling.tsx'

export function Page() {
  const t = useTexts(settingsTexts)
  const { api } = useWallet()
  const query = useQuery({
    queryKey: [api, 'settings'],
    queryFn: ({ signal }) => read<SettingsAnswer>(`${api}/settings`, signal),
    // Reading the settings again would overwrite what the user has typed.
    refetchOnWindowFocus: false,
  })
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Loaded query={query}>
        {(settings) => (
          <Stack gap="lg" maw={880}>
            <Company settings={settings} />
            <Iban settings={settings} />
            <Stores settings={settings} />
            <Methods settings={settings} />
            <Limits settings={settings} />
            <Refunds settings={settings} />
            <Splits settings={settings} />
            <Branding settings={settings} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}
