import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { followLink } from '../router/navigate.ts'
import { revealNode, revealText } from './code/revealText.ts'
import { Icon } from './Icon.tsx'

type Props = {
  title: string
  description?: ReactNode
  /** The page one level up. */
  back?: { to: string; name: string }
  children?: ReactNode
}

/** Heading of a page, and title of the browser tab; `children` go to the right, or below on a phone. */
export function PageHeader({ title, description, back, children }: Props) {
  useEffect(() => {
    document.title = `${revealText(title)} · Agent registry`
  }, [title])
  return (
    <Box mb="lg">
      {back && (
        <Anchor href={back.to} onClick={followLink} size="sm" c="dimmed" display="inline-block" mb={4}>
          <Group gap={4}>
            <Icon name="back" size={14} />
            {back.name}
          </Group>
        </Anchor>
      )}
      <Group justify="space-between" align="flex-end" gap="sm">
        <Stack gap={4} style={{ flex: '1 1 300px', minWidth: 0 }}>
          <Title
            order={1}
            fz={{ base: 24, sm: 28 }}
            lineClamp={3}
            title={revealText(title)}
            style={{ overflowWrap: 'anywhere' }}
          >
            {revealText(title)}
          </Title>
          {description && (
            <Text c="dimmed" maw={680} style={{ overflowWrap: 'anywhere' }}>
              {revealNode(description)}
            </Text>
          )}
        </Stack>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
    </Box>
  )
}
