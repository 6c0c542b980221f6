// Download of a list as CSV.
import { Button, Menu } from '@mantine/core'
import { type Dictionary, useLanguage, useTexts } from '../i18n/language.ts'

const texts: Dictionary<{
  readonly otherForm: string
  readonly separators: Readonly<Record<'comma' | 'semicolon', string>>
}> = {
  en: {
    otherForm: 'File format',
    separators: { comma: 'Comma, 1234.50', semicolon: 'Semicolon, 1234,50' },
  },
  pt: {
    otherForm: 'Formato do ficheiro',
    separators: { comma: 'Vírgula, 1234.50', semicolon: 'Ponto e vírgula, 1234,50' },
  },
}

/** @param path path and query below `/backoffice/api` */
export function CsvButton({ path, label }: { readonly path: string; readonly label: string }) {
  const t = useTexts(texts)
  const usual = useLanguage() === 'pt' ? 'semicolon' : 'comma'
  const fileOf = (separator: string) =>
    `/backoffice/api${path}${path.includes('?') ? '&' : '?'}separator=${separator}`
  return (
    <Button.Group>
      <Button component="a" variant="default" href={fileOf(usual)} download>
        {label}
      </Button>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={`${label}: ${t.otherForm}`}>
            ▾
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['comma', 'semicolon'] as const).map((separator) => (
            <Menu.Item key={separator} component="a" href={fileOf(separator)} download>
              {t.separators[separator]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
