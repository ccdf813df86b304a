import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { session } from '../../api/session.ts'
import type { Session } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'

type Props = { interimToken: string; onBack: () => void; onSignedIn?: () => void }

/** The second step of a sign-in: a code from the authenticator app, or a recovery code. */
export function SecondFactorForm({ interimToken, onBack, onSignedIn }: Props) {
  const change = useApiMutation<{ data: Session }>({
    invalidates: [],
    onDone: (answer) => {
      session.begin(answer.data)
      onSignedIn?.()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { code } = Object.fromEntries(new FormData(event.currentTarget))
    change.mutate({
      method: 'POST',
      path: '/api/auth/mfa',
      body: { interimToken, code: String(code).trim() },
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>Enter the code from your authenticator app, or a recovery code.</Text>
        <TextInput name="code" label="Code" autoComplete="one-time-code" required autoFocus />
        <FailureNote error={change.error} />
        <Button type="submit" loading={change.isPending} fullWidth>
          Sign in
        </Button>
        <Button variant="subtle" onClick={onBack} fullWidth>
          Back
        </Button>
      </Stack>
    </form>
  )
}
