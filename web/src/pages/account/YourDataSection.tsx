import { Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { Me } from '@svc/core/contract/accounts.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { ExportData } from './ExportData.tsx'

/** Exports what is stored about a person, and deletes the account once they have read what happens and typed its address. */
export function YourDataSection({ me }: { me: Me }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title="Your data"
      description="You can get a copy of everything stored about you, and delete your account with all of it."
    >
      <ExportData me={me} />
      <Group>
        <Button color="red" variant="light" disabled={me.erasureAt !== null} onClick={() => setOpen(true)}>
          Delete my account
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Delete your account?">
        <Deletion me={me} onClose={() => setOpen(false)} />
      </Modal>
    </Section>
  )
}

function Deletion({ me, onClose }: { me: Me; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const change = useApiMutation('DELETE /api/me', {
    invalidates: ['GET /api/me', 'GET /api/auth/sessions'],
    onDone: onClose,
  })
  const expected = me.user.email ?? me.user.developerId
  const isConfirmed = typed.trim().toLowerCase() === expected.toLowerCase()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isConfirmed) change.mutate()
      }}
    >
      <Stack>
        <List size="sm" spacing={6}>
          <List.Item>You are signed out everywhere else at once.</List.Item>
          <List.Item>For 30 days you can sign in and keep the account. Everything works as before.</List.Item>
          <List.Item>Then your agents are retired, and your endpoints and API keys stop for good.</List.Item>
          <List.Item>
            Your name, address, passkeys, documents and the content of your events are erased.
          </List.Item>
          <List.Item>Organisations with other members stay with them.</List.Item>
          <List.Item>The audit log keeps hashes that no longer say anything about you.</List.Item>
        </List>
        <TextInput
          label={me.user.email === null ? 'Your developer identifier' : 'Your e-mail address'}
          description={
            <Text span inherit style={{ overflowWrap: 'anywhere' }}>
              Type {expected} to confirm.
            </Text>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          You may be asked to confirm this with a passkey.
        </Text>
        <FailureNote error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" disabled={!isConfirmed} loading={change.isPending}>
            Delete my account
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
