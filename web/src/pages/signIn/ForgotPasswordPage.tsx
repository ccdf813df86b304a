import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'

/** Requests a password reset link; the response is the same whether or not the account exists. */
export function ForgotPasswordPage() {
  const change = useApiMutation('POST /api/auth/password/forgot')
  const faults = readFaults(change.error, { email: 'E-mail' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email } = readFields(event.currentTarget, 'email')
    change.mutate({ body: { email } })
  }
  return (
    <Stack maw={480}>
      <PageHeader title="Reset your password" />
      {change.isSuccess ? (
        <Alert color="teal" icon={<Icon name="check" />} title="Check your inbox" role="status">
          If an account with this address exists, we have sent it a link. The link is valid for one hour.
        </Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text c="dimmed">We will send you a link to choose a new password.</Text>
            <TextInput
              name="email"
              type="email"
              label="E-mail"
              autoComplete="username"
              required
              error={faults.at.email}
            />
            <FormFailure faults={faults} />
            <Button type="submit" loading={change.isPending}>
              Send link
            </Button>
          </Stack>
        </form>
      )}
    </Stack>
  )
}
