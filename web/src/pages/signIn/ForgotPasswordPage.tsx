import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'

/** Has a link mailed by which a new password is chosen; says the same whether there is such an account. */
export function ForgotPasswordPage() {
  const change = useApiMutation({ invalidates: [] })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email } = Object.fromEntries(new FormData(event.currentTarget))
    change.mutate({ method: 'POST', path: '/api/auth/password/forgot', body: { email } })
  }
  return (
    <Stack maw={480}>
      <PageHeader title="Choose a new password" />
      {change.isSuccess ? (
        <Alert color="teal" icon={<Icon name="check" />} title="Look into your mail" role="status">
          If there is an account with this address, a link is on its way to it. It works for one hour.
        </Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text c="dimmed">We mail you a link by which you choose a new one.</Text>
            <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
            <FailureNote error={change.error} />
            <Button type="submit" loading={change.isPending}>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
    </Stack>
  )
}
