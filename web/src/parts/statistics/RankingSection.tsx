import { Box, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '../Section.tsx'

type Props = {
  title: string
  description: ReactNode
  /** The most frequent first. */
  items: readonly { id: string; name: ReactNode; count: number }[]
  empty: string
}

/** What was counted most often in the last 30 days, with its count. */
export function RankingSection({ title, description, items, empty }: Props) {
  return (
    <Section title={title} description={description}>
      {items.length === 0 ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map(({ id, name, count }) => (
            <Group key={id} component="li" justify="space-between" wrap="nowrap" gap="md">
              <Box fz="sm" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                {name}
              </Box>
              <Text fw={600}>{count.toLocaleString('en')}</Text>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  )
}
