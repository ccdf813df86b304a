import { Anchor, Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { session } from '../../api/session.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { readFields } from '../../parts/readFields.ts'
import { TextLink } from '../../parts/TextLink.tsx'
import { PASSWORD_LENGTH_MIN } from './passwordLength.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'

type Props = {
  isNew: boolean
  /** Whether the page below waits for its user, so that links must not leave it. */
  isReturning?: boolean
  email?: string
}

/** Form to sign in with e-mail address and password, or to create an account. */
export function AccountForm({ isNew, isReturning = false, email: initialEmail = '' }: Props) {
  const [accountType, setAccountType] = useState<'individual' | 'business'>('individual')
  const registration = useApiMutation('POST /api/auth/register', {
    onDone: ({ data }) => session.begin(data),
  })
  const signIn = useApiMutation('POST /api/auth/login', {
    onDone: (answer) => {
      if ('data' in answer) session.begin(answer.data)
    },
  })
  const change = isNew ? registration : signIn
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email, password, fullName } = readFields(event.currentTarget, 'email', 'password', 'fullName')
    if (isNew) registration.mutate({ body: { email, password, fullName, accountType } })
    else signIn.mutate({ body: { email, password } })
  }
  if (signIn.data && 'interimToken' in signIn.data) {
    return <SecondFactorForm interimToken={signIn.data.interimToken} onBack={signIn.reset} />
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {isNew && (
          <>
            <SegmentedControl
              aria-label="Account type"
              value={accountType}
              onChange={(value) => setAccountType(value === 'business' ? value : 'individual')}
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
          defaultValue={initialEmail}
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
        {!isNew && !isReturning && <TextLink to="/forgot-password">Forgot your password?</TextLink>}
        {isReturning && (
          <Anchor href="/forgot-password" target="_blank" inherit underline="always">
            Forgot your password?
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
