import { Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { session } from '../../api/session.ts'
import type { Session } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { PASSWORD_LENGTH_MIN } from './passwordLength.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'

/** The response to a sign-in: a session, or a request for the second factor. */
type SignedIn = { data: Session } | { interimToken: string }

/** Form to sign in with e-mail address and password, or to create an account. */
export function AccountForm({ isNew }: { isNew: boolean }) {
  const [accountType, setAccountType] = useState('individual')
  const change = useApiMutation<SignedIn>({
    invalidates: [],
    onDone: (answer) => {
      if ('data' in answer) session.begin(answer.data)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email, password, fullName } = Object.fromEntries(new FormData(event.currentTarget))
    const body = isNew ? { email, password, fullName, accountType } : { email, password }
    change.mutate({ method: 'POST', path: `/api/auth/${isNew ? 'register' : 'login'}`, body })
  }
  if (change.data && 'interimToken' in change.data) {
    return <SecondFactorForm interimToken={change.data.interimToken} onBack={change.reset} />
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {isNew && (
          <>
            <SegmentedControl
              aria-label="Account type"
              value={accountType}
              onChange={setAccountType}
              data={[
                { value: 'individual', label: 'Individual' },
                { value: 'business', label: 'Business' },
              ]}
            />
            <TextInput name="fullName" label="Full name" autoComplete="name" required maxLength={200} />
          </>
        )}
        <TextInput
          name="email"
          type="email"
          label="E-mail"
          autoComplete={isNew ? 'username' : 'username webauthn'}
          required
        />
        <PasswordInput
          name="password"
          label="Password"
          description={isNew ? `At least ${PASSWORD_LENGTH_MIN} characters` : undefined}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          minLength={isNew ? PASSWORD_LENGTH_MIN : undefined}
          required
        />
        <FailureNote error={change.error} />
        <Button type="submit" loading={change.isPending} fullWidth>
          {isNew ? 'Create account' : 'Sign in'}
        </Button>
        {!isNew && <TextLink to="/forgot-password">Forgot your password?</TextLink>}
      </Stack>
    </form>
  )
}
