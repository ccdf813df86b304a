import { Stack, Tabs, Text } from '@mantine/core'
import { CodeBlock } from './CodeBlock.tsx'

/** A ready-to-paste snippet; `start` runs beside it, and `test` calls what it protects. */
export type Snippet = {
  id: string
  tab: string
  name: string
  code: string
  start?: { name: string; code: string }
  test: string | null
}

type Props = { snippets: readonly Snippet[]; caller?: string }

/** Snippets to copy, by framework; `caller` names whom their tests call as. */
export function SnippetTabs({ snippets, caller = 'the sample agent' }: Props) {
  return (
    <Tabs defaultValue={snippets[0]?.id ?? null} keepMounted={false}>
      <Tabs.List mb="sm">
        {snippets.map(({ id, tab }) => (
          <Tabs.Tab key={id} value={id}>
            {tab}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ id, name, code, start, test }) => (
        <Tabs.Panel key={id} value={id}>
          <Stack gap="sm">
            <CodeBlock code={code} name={name} />
            {start !== undefined && <CodeBlock {...start} />}
            {test !== null && (
              <>
                <Text size="sm" c="dimmed">
                  Then call it as {caller}.{' '}
                  {code.includes('@svc/client') && (
                    <>
                      <code>@svc/client</code> comes with this service: run{' '}
                      <code>npm run build:client && npm pack ./client/dist/package</code> in its folder, and
                      install the file in your project.
                    </>
                  )}
                </Text>
                <CodeBlock code={test} name={`Call it as ${caller}`} />
              </>
            )}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
