// Master keys and their rotation.
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { MasterKeysAnswer, RotatedAnswer } from '../../../../../src/backoffice/contract/operator/home.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { useNotify } from '../../../kit/notify.ts'
import { Loaded, PageHead } from '../../../kit/page.tsx'
import { DataTable } from '../../../kit/table.tsx'
import { Problem } from '../../../shell/problems.tsx'
import { useOperatorQuery, useOperatorVerb } from '../parts.tsx'
import { systemTexts } from './system-texts.ts'

export function Page() {
  const t = useTexts(systemTexts)
  const say = useNotify()
  const [asking, setAsking] = useState(false)
  const query = useOperatorQuery<MasterKeysAnswer>('/master-keys')
  const rotating = useOperatorVerb<RotatedAnswer>(() => ['/master-keys/rotate', { body: {} }], {
    done({ version, resealed, left }) {
      setAsking(false)
      say(left > 0 ? t.left(left) : t.rotated(version, resealed))
    },
  })
  return (
    <>
      <PageHead
        title={t.keys}
        about={t.keysAbout}
        actions={<Button onClick={() => setAsking(true)}>{t.rotate}</Button>}
      />
      <Loaded query={query}>{(answer) => <Versions answer={answer} />}</Loaded>
      <Dialog opened={asking} close={() => setAsking(false)} title={t.rotateTitle}>
        <Stack>
          <Text size="sm">{t.rotateText}</Text>
          {rotating.error !== null && <Problem error={rotating.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)}>
              {t.cancel}
            </Button>
            <Button loading={rotating.isPending} onClick={() => rotating.mutate()}>
              {t.rotate}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

function Versions({ answer: { current, versions } }: { readonly answer: MasterKeysAnswer }) {
  const t = useTexts(systemTexts)
  const format = useFormats()
  return (
    <DataTable
      label={t.keys}
      minWidth={480}
      columns={[
        {
          head: t.version,
          cell: ({ version, in_file }) => (
            <Group gap="xs">
              {version}
              {version === current && (
                <Badge variant="light" color="green" tt="none">
                  {t.current}
                </Badge>
              )}
              {!in_file && (
                <Badge variant="light" color="red" tt="none">
                  {t.gone}
                </Badge>
              )}
            </Group>
          ),
        },
        {
          head: t.secrets,
          kind: 'amount',
          cell: ({ secrets }) => format.number(Object.values(secrets).reduce((sum, count) => sum + count, 0)),
        },
        {
          head: t.kinds,
          cell: ({ secrets }) =>
            Object.entries(secrets)
              .filter(([, count]) => count > 0)
              .map(([kind, count]) => `${kind}: ${format.number(count)}`)
              .join(', '),
        },
      ]}
      rows={versions}
      keyOf={({ version }) => String(version)}
    />
  )
}
