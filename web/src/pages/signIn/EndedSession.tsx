import { Alert, Container, Divider, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { User } from '@svc/core/contract/accounts.ts'
import { useEffect, useRef } from 'react'
import type { ApiFailure } from '../../api/apiFailure.ts'
import { Icon } from '../../parts/Icon.tsx'
import { ColorSchemeToggle } from '../../shell/ColorSchemeToggle.tsx'
import { AccountForm } from './AccountForm.tsx'
import classes from './EndedSession.module.css'
import { OtherSignIns } from './OtherSignIns.tsx'

/**
 * Covers the page of a session that has ended, says why, and signs in again. The page remains below it, hidden, with
 * everything that its user has typed.
 *
 * A modal `<dialog>` makes the rest of the page inert, including its own dialogs.
 */
export function EndedSession({ user, cause }: { user: User; cause: ApiFailure }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const cover = () => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }
  useEffect(cover, [])
  return (
    // Browsers close a dialog at the second Escape, whatever the page says.
    <dialog
      ref={dialog}
      className={classes.cover}
      aria-labelledby="ended"
      aria-describedby="why-ended"
      onClose={cover}
    >
      <Group justify="flex-end" px="md" py="sm">
        <ColorSchemeToggle />
      </Group>
      <Container size={440} px="md" py="xl">
        <Stack gap="lg">
          <Title order={1} fz={28} id="ended">
            Sign in again
          </Title>
          <Alert id="why-ended" color="blue" icon={<Icon name="clock" />} title={cause.message}>
            Sign in to continue where you were. What you have typed on this page is still there.
          </Alert>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            You were signed in as {user.email ?? user.developerId}.
          </Text>
          <Paper withBorder p="lg">
            <Stack>
              <AccountForm isNew={false} isReturning email={user.email ?? ''} />
              <Divider label="or" />
              <OtherSignIns isReturning />
            </Stack>
          </Paper>
        </Stack>
      </Container>
    </dialog>
  )
}
