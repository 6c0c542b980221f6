// Block of JSON or other text.
import { Code, ScrollArea, Title } from '@mantine/core'

export function CodeBlock({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <ScrollArea.Autosize
        mah={420}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': title }}
      >
        <Code block className="code-block">
          {indented(text)}
        </Code>
      </ScrollArea.Autosize>
    </section>
  )
}

/** Indents JSON. A text that is not complete JSON stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
