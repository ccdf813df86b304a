import { Button, Group, Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  children: ReactNode
  /** What its button revokes, for screen readers. */
  name: string
  onRevoke: () => void
  /** Stands in place of the button. */
  instead?: ReactNode
}

/** What signs for an agent, with a button that revokes it. */
export function SignerRow({ children, name, onRevoke, instead }: Props) {
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ minWidth: 0, flex: '1 1 240px' }}>
          {children}
        </Stack>
        {instead ?? (
          <Button variant="light" color="red" size="xs" onClick={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        )}
      </Group>
    </Paper>
  )
}
