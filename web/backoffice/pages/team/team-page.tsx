// The team of the merchant, and who did what.
import { Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ActionsAnswer } from '../../../../src/backoffice/contract/team.ts'
import { read } from '../../api.ts'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { type Dictionary, useTexts } from '../../texts/language.ts'

const english = {
  title: 'Team',
  log: 'Who did what',
  none: 'Nobody has changed anything yet',
  noneText: 'What people of the team do here is written down: who, what and when.',
  when: 'When',
  who: 'Who',
  what: 'What',
}
const texts: Dictionary<typeof english> = {
  en: english,
  pt: {
    title: 'Equipa',
    log: 'Quem fez o quê',
    none: 'Ainda ninguém alterou nada',
    noneText: 'O que as pessoas da equipa aqui fazem fica registado: quem, o quê e quando.',
    when: 'Quando',
    who: 'Quem',
    what: 'O quê',
  },
}

export function Page() {
  const t = useTexts(texts)
  const { api } = useWallet()
  const format = useFormats()
  const query = useQuery({
    queryKey: [api, 'actions'],
    queryFn: ({ signal }) => read<ActionsAnswer>(`${api}/actions`, signal),
  })
  return (
    <>
      <PageHead title={t.title} />
      <Title order={2} mb="sm">
        {t.log}
      </Title>
      <Loaded query={query}>
        {({ actions }) =>
          actions.length === 0 ? (
            <Empty title={t.none}>{t.noneText}</Empty>
          ) : (
            <Table.ScrollContainer minWidth={480}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t.when}</Table.Th>
                    <Table.Th>{t.who}</Table.Th>
                    <Table.Th>{t.what}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {actions.map((one) => (
                    <Table.Tr key={one.tid}>
                      <Table.Td className="number">{format.moment(one.at)}</Table.Td>
                      <Table.Td>{one.email}</Table.Td>
                      <Table.Td>{one.action}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </>
  )
}
