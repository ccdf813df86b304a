import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useRef } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { PasswordField } from '../../parts/forms/PasswordField.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'
import { Section } from '../../parts/Section.tsx'
import { PASSWORD_LENGTH_MIN } from '../signIn/passwordLength.ts'

/** Changes the password, confirmed by the current one or by a passkey. */
export function PasswordSection({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null)
  const change = useApiMutation('POST /api/auth/password/change', {
    invalidates: ['GET /api/auth/sessions'],
    onDone: () => form.current?.reset(),
  })
  const faults = readFaults(change.error, {
    currentPassword: 'Current password',
    newPassword: 'New password',
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentPassword, newPassword } = readFields(event.currentTarget, 'currentPassword', 'newPassword')
    const body = currentPassword === '' ? { newPassword } : { currentPassword, newPassword }
    change.mutate({ body })
  }
  return (
    <Section
      title="Password"
      description="Changing your password ends your other sessions. To confirm with a passkey, or if you have no password yet, leave the current password empty."
    >
      <form onSubmit={submit} ref={form}>
        <Stack gap="sm">
          {/* Lets password managers know which account this is. */}
          <input type="hidden" autoComplete="username" value={email} readOnly />
          <Group gap="sm" align="flex-start">
            <PasswordField
              name="currentPassword"
              label="Current password"
              description="Leave empty to use a passkey"
              autoComplete="current-password"
              error={faults.at.currentPassword}
              style={{ flex: '1 1 220px' }}
            />
            <PasswordField
              name="newPassword"
              label="New password"
              description={`At least ${PASSWORD_LENGTH_MIN} characters`}
              autoComplete="new-password"
              minLength={PASSWORD_LENGTH_MIN}
              required
              error={faults.at.newPassword}
              style={{ flex: '1 1 220px' }}
            />
          </Group>
          <FormFailure faults={faults} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change password
            </Button>
            {change.isSuccess && <span role="status">Password changed. Your other sessions have ended.</span>}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
