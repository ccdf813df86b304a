import { Alert, Button, Stack } from '@mantine/core'
import type { FormEvent } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { PasswordField } from '../../parts/forms/PasswordField.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { useAddress } from '../../router/navigate.ts'
import { PASSWORD_LENGTH_MIN } from './passwordLength.ts'

/** Target of the mailed password reset link. */
export function ResetPasswordPage() {
  const token = useAddress().search.get('token') ?? ''
  const change = useApiMutation('POST /api/auth/password/reset')
  const faults = readFaults(change.error, { password: 'New password' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { password } = readFields(event.currentTarget, 'password')
    change.mutate({ body: { token, password } })
  }
  return (
    <Stack maw={480}>
      <PageHeader title="Choose a new password" />
      {change.isSuccess ? (
        <Alert color="teal" icon={<Icon name="check" />} title="Your password has been changed" role="status">
          You have been signed out everywhere. <TextLink to="/">Sign in with your new password</TextLink>
        </Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <PasswordField
              name="password"
              label="New password"
              description={`At least ${PASSWORD_LENGTH_MIN} characters`}
              autoComplete="new-password"
              minLength={PASSWORD_LENGTH_MIN}
              required
              error={faults.at.password}
            />
            <FormFailure faults={faults} />
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Stack>
        </form>
      )}
    </Stack>
  )
}
