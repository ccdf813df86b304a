import { Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../Icon.tsx'

type Props = { icon: IconName; title: string; description: ReactNode; children?: ReactNode }

/** Shown in place of an empty list, with a suggestion of what to do next. */
export function EmptyNote({ icon, title, description, children }: Props) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center">
        <ThemeIcon size={48} radius="xl" variant="light">
          <Icon name={icon} size={24} />
        </ThemeIcon>
        <Title order={2} fz="lg">
          {title}
        </Title>
        <Text c="dimmed" maw={480}>
          {description}
        </Text>
        {children && (
          <Group gap="xs" justify="center">
            {children}
          </Group>
        )}
      </Stack>
    </Paper>
  )
}
