import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { session } from '../../api/session.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'

type Props = { interimToken: string; onBack: () => void; onSignedIn?: () => void }

/** The second step of a sign-in: a code from the authenticator app, or a recovery code. */
export function SecondFactorForm({ interimToken, onBack, onSignedIn }: Props) {
  const change = useApiMutation('POST /api/auth/mfa', {
    onDone: (answer) => {
      session.begin(answer.data)
      onSignedIn?.()
    },
  })
  const faults = readFaults(change.error, { code: 'Code' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { code } = readFields(event.currentTarget, 'code')
    change.mutate({ body: { interimToken, code: code.trim() } })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>Enter the code from your authenticator app, or a recovery code.</Text>
        <TextInput
          name="code"
          label="Code"
          autoComplete="one-time-code"
          required
          autoFocus
          error={faults.at.code}
        />
        <FormFailure faults={faults} />
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
