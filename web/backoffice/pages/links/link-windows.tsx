// Dialogs for the QR code and the end of a link.
import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { useWallet } from '../../session.ts'
import { Problem } from '../../shell/problems.tsx'
import { linkTexts } from './i18n.ts'
import type { PaymentLink } from './model.ts'

/** Drops the host name, because the user may have opened the backoffice under another one. */
const pathOf = (url: string) => new URL(url).pathname

export function CodeWindow({
  link,
  title,
  close,
}: {
  readonly link: PaymentLink
  readonly title: string
  readonly close: () => void
}) {
  const t = useTexts(linkTexts)
  const svg = pathOf(link.qr_url)
  const png = svg.replace(/svg$/, 'png')
  return (
    <Dialog opened close={close} title={title}>
      <Stack align="center">
        <img className="link-code" src={svg} alt={t.code} width={240} height={240} />
        <Text fw={600} ta="center" className="anywhere">
          {link.description}
        </Text>
        <Text className="identifier" ta="center">
          {link.url}
        </Text>
        <Group justify="center" gap="xs" className="not-printed">
          <CopyButton value={link.url}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? t.copied : t.copy}</Button>}
          </CopyButton>
          <Button variant="default" component="a" href={svg} download="payment-link.svg">
            {t.downloadSvg}
          </Button>
          <Button variant="default" component="a" href={png} download="payment-link.png">
            {t.downloadPng}
          </Button>
          <Button variant="default" onClick={() => window.print()}>
            {t.print}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

export function CloseWindow({
  link,
  close,
  closed,
}: {
  readonly link: PaymentLink
  readonly close: () => void
  readonly closed: () => void
}) {
  const t = useTexts(linkTexts)
  const { api } = useWallet()
  const ending = useMutation({
    mutationFn: () => act<PaymentLink>(`${api}/payment_links/${link.id}`, { method: 'DELETE' }),
    onSuccess: closed,
  })
  return (
    <Dialog opened close={close} title={t.closeSure}>
      <Stack>
        <Text fw={600} className="anywhere">
          {link.description}
        </Text>
        <Text>{t.closeText}</Text>
        {ending.error !== null && <Problem error={ending.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.keep}
          </Button>
          <Button color="red.9" loading={ending.isPending} onClick={() => ending.mutate()}>
            {t.close}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
