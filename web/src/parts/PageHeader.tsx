import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { followLink } from '../router/followLink.ts'
import { Icon } from './Icon.tsx'

type Props = {
  title: string
  description?: ReactNode
  /** The page one level up. */
  back?: { to: string; name: string }
  children?: ReactNode
}

/** Title of a page, of its tab in the browser too; `children` stand at its right. */
export function PageHeader({ title, description, back, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Agent registry`
  }, [title])
  return (
    <Stack gap={4} mb="lg">
      {back && (
        <Anchor href={back.to} onClick={followLink} size="sm" c="dimmed" w="fit-content">
          <Group gap={4}>
            <Icon name="back" size={14} />
            {back.name}
          </Group>
        </Anchor>
      )}
      <Group justify="space-between" align="flex-end" gap="sm">
        <Title order={1} fz={{ base: 24, sm: 28 }} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
      {description && (
        <Text c="dimmed" maw={720}>
          {description}
        </Text>
      )}
    </Stack>
  )
}
