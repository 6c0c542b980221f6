// One request of an API key.
import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { RequestAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Loaded } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import { CodeBlock } from './code-block.tsx'
import { DevelopersFrame } from './developers-frame.tsx'
import { developersTexts } from './i18n.ts'
import { HttpStatus } from './requests-page.tsx'

export function Page() {
  const t = useTexts(developersTexts)
  const { api, id: walletId } = useWallet()
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = useQuery({
    queryKey: [api, 'developers', 'request', id],
    queryFn: ({ signal }) => read<RequestAnswer>(`${api}/developers/requests/${id}`, signal),
  })
  return (
    <DevelopersFrame section="requests">
      <Anchor component={Link} to={`/wallets/${walletId}/developers/requests`} size="sm">
        {t.back}
      </Anchor>
      <Loaded query={query}>{(request) => <Whole request={request} />}</Loaded>
    </DevelopersFrame>
  )
}

function Whole({ request }: { readonly request: RequestAnswer }) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  const facts: readonly (readonly [string, string | number | null])[] = [
    [t.when, format.moment(request.at)],
    [t.duration, `${format.number(request.duration_ms)} ms`],
    [t.code, request.code],
    [t.key, request.key],
    [t.tid, request.tid],
    [t.from, request.address],
    [t.program, request.user_agent],
  ]
  return (
    <Stack mt="md" gap="lg">
      <Paper withBorder p="lg">
        <Group justify="space-between" align="flex-start">
          <Title order={2} className="identifier">
            {request.method} {request.path}
          </Title>
          <HttpStatus status={request.status} />
        </Group>
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <Text key={name} size="sm" className="anywhere">
                <Text span c="dimmed">
                  {name}:
                </Text>{' '}
                {value}
              </Text>
            ),
        )}
      </Paper>
      <CodeBlock title={t.sent} text={request.body ?? t.nothing} />
      <CodeBlock title={t.answered} text={request.answer ?? t.nothing} />
    </Stack>
  )
}
