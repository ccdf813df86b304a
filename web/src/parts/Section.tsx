import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { title: string; description?: ReactNode; right?: ReactNode; children: ReactNode }

/** A titled, framed section of a page. */
export function Section({ title, description, right, children }: Props) {
  return (
    <Paper component="section" aria-label={title} withBorder p={{ base: 'md', sm: 'lg' }}>
      <Stack gap="md">
        <Stack gap={2}>
          <Group justify="space-between" gap="xs">
            <Title order={2} fz="lg">
              {title}
            </Title>
            {right}
          </Group>
          {description && (
            <Text c="dimmed" size="sm" maw={720}>
              {description}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Paper>
  )
}
