import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureNote } from './FailureNote.tsx'

type Props = {
  opened: boolean
  title: string
  /** The consequences. */
  children: ReactNode
  /** Label of the confirming button. */
  action: string
  change: { isPending: boolean; error: unknown }
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation and states the consequences. */
export function ConfirmModal({ opened, title, children, action, change, onConfirm, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text component="div">{children}</Text>
        <FailureNote error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" loading={change.isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
