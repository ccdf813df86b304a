import { Stack, Tabs, Text } from '@mantine/core'
import { CodeBlock } from '../../../parts/CodeBlock.tsx'
import type { Snippet } from './buildSnippets.ts'

/** Snippets to copy, by framework. */
export function SnippetTabs({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <Tabs defaultValue={snippets[0]?.id ?? null} keepMounted={false}>
      <Tabs.List mb="sm">
        {snippets.map(({ id, tab }) => (
          <Tabs.Tab key={id} value={id}>
            {tab}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ id, name, code, test }) => (
        <Tabs.Panel key={id} value={id}>
          <Stack gap="sm">
            <CodeBlock code={code} name={name} />
            {test !== null && (
              <>
                <Text size="sm" c="dimmed">
                  Then call it as the sample agent. <code>@svc/client</code> comes with this service: run{' '}
                  <code>npm run build:client && npm pack ./client/dist/package</code> in its folder, and
                  install the file in your project.
                </Text>
                <CodeBlock code={test} name="Call it as the sample agent" />
              </>
            )}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
