// Preview of the hosted pages in light and dark.
import { Box, SimpleGrid, Stack, Text } from '@mantine/core'
import { type Shades, shadesOf } from '../../../../src/wallets/branding/colour.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { settingsTexts } from './i18n.ts'

interface PreviewProps {
  readonly merchant: string
  readonly logo: string | null
  readonly colour: string
}

const grounds = {
  light: { background: '#ffffff', ink: '#13201f' },
  dark: { background: '#172024', ink: '#eaf1f3' },
} as const

export function BrandPreview({ merchant, logo, colour }: PreviewProps) {
  const t = useTexts(settingsTexts)
  const shades = shadesOf(colour)
  return (
    <Box component="section" aria-label={t.preview}>
      <Text size="sm" c="dimmed" mb={4}>
        {t.preview}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 1 }}>
        {(['light', 'dark'] as const).map((scheme) => (
          <Sample
            key={scheme}
            {...grounds[scheme]}
            shades={shades[scheme]}
            label={t[scheme]}
            {...{ merchant, logo }}
          />
        ))}
      </SimpleGrid>
    </Box>
  )
}

function Sample({
  merchant,
  logo,
  shades,
  label,
  background,
  ink,
}: Omit<PreviewProps, 'colour'> & {
  readonly shades: Shades
  readonly label: string
  readonly background: string
  readonly ink: string
}) {
  const t = useTexts(settingsTexts)
  const format = useFormats()
  return (
    <Stack gap="sm" p="lg" style={{ background, color: ink, borderRadius: 12, border: '1px solid #71858f' }}>
      <Text size="xs">{label}</Text>
      <Text fw={600} style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
        {logo === null ? (
          <span
            aria-hidden="true"
            style={{
              background: shades.accentGround,
              color: shades.accent,
              borderRadius: 16,
              padding: '2px 11px',
            }}
          >
            {merchant.slice(0, 1).toUpperCase()}
          </span>
        ) : (
          <img
            src={logo}
            alt=""
            height={32}
            style={{ background: '#fff', borderRadius: 6, padding: 2, maxWidth: 144 }}
          />
        )}
        {merchant}
      </Text>
      <div
        style={{
          ...{ background: shades.accent, color: shades.onAccent },
          ...{ padding: '10px 16px', borderRadius: 10, textAlign: 'center', fontWeight: 650 },
        }}
      >
        {t.pay} {format.money(24.9)}
      </div>
      <Text size="sm" style={{ color: shades.accent, textDecoration: 'underline' }}>
        {t.termsShown}
      </Text>
    </Stack>
  )
}
