// Preview of a payment link for the customer.
import { Box, Button, Paper, Stack, Text } from '@mantine/core'
import { amountIn } from '../../i18n/amount.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { paymentTexts } from '../payments/i18n.ts'
import { linkTexts } from './i18n.ts'
import type { LinkForm } from './model.ts'

export function LinkPreview({ form, merchant }: { readonly form: LinkForm; readonly merchant: string }) {
  const t = useTexts(linkTexts)
  const format = useFormats()
  const { methods } = useTexts(paymentTexts)
  const names = form.methods.map((method) => methods[method] ?? method)
  return (
    <Box component="section" aria-label={t.form.preview}>
      <Text size="sm" c="dimmed" mb={4}>
        {t.form.preview}
      </Text>
      <Paper withBorder p="lg" shadow="sm">
        <Stack gap="sm">
          <Text fw={600}>{merchant}</Text>
          <Text className="anywhere">{form.description || '…'}</Text>
          <Text fz={28} fw={700} className="number">
            {form.kind === 'fixed'
              ? format.money(amountIn(form.amount) ?? 0)
              : `${t.from} ${format.money(amountIn(form.least) ?? 0)} ${t.to} ${format.money(amountIn(form.most) ?? 0)}`}
          </Text>
          <Button component="div" fullWidth aria-hidden="true">
            {t.form.pay}
          </Button>
          <Text size="sm" c="dimmed">
            {names.join(' · ')}
          </Text>
        </Stack>
      </Paper>
    </Box>
  )
}
