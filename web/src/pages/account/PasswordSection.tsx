import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useRef } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { PASSWORD_LENGTH_MIN } from '../signIn/passwordLength.ts'

/** Changes the password, by the one there is or by a passkey. Source: api.md "Accounts". */
export function PasswordSection({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null)
  const change = useApiMutation({
    invalidates: ['/api/auth/sessions'],
    onDone: () => form.current?.reset(),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentPassword, newPassword } = Object.fromEntries(new FormData(event.currentTarget))
    const body = currentPassword === '' ? { newPassword } : { currentPassword, newPassword }
    change.mutate({ method: 'POST', path: '/api/auth/password/change', body })
  }
  return (
    <Section
      title="Password"
      description="Changing it ends your other sessions. Leave the present one empty to confirm by a passkey, as where you have none yet."
    >
      <form onSubmit={submit} ref={form}>
        <Stack gap="sm">
          {/* Password managers ask whose password it is. */}
          <input type="hidden" autoComplete="username" value={email} readOnly />
          <Group gap="sm" align="flex-start">
            <PasswordInput
              name="currentPassword"
              label="Present password"
              description="Or nothing, and your passkey"
              autoComplete="current-password"
              style={{ flex: '1 1 220px' }}
            />
            <PasswordInput
              name="newPassword"
              label="New password"
              description={`At least ${PASSWORD_LENGTH_MIN} characters`}
              autoComplete="new-password"
              minLength={PASSWORD_LENGTH_MIN}
              required
              style={{ flex: '1 1 220px' }}
            />
          </Group>
          <FailureNote error={change.error} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change the password
            </Button>
            {change.isSuccess && <span role="status">Changed. Your other sessions have ended.</span>}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
