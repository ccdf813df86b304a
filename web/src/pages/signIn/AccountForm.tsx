import {
  Anchor,
  Button,
  Divider,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type MouseEvent, useState } from 'react'
import { session } from '../../api/session.ts'
import { signUpWithPasskey } from '../../api/signUpWithPasskey.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { readFields } from '../../parts/readFields.ts'
import { TextLink } from '../../parts/TextLink.tsx'
import { PASSWORD_LENGTH_MIN } from './passwordLength.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'

type AccountType = 'individual' | 'business'

type Props = {
  isNew: boolean
  /** Whether the page below waits for its user, so that links must not leave it. */
  isReturning?: boolean
  email?: string
}

/** Form to sign in with e-mail address and password, or to create an account. */
export function AccountForm({ isNew, isReturning = false, email: initialEmail = '' }: Props) {
  const [accountType, setAccountType] = useState<AccountType>('individual')
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
        {isNew && <PasskeyInstead accountType={accountType} />}
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

/** Creates the account with name and address of the form, and with a passkey instead of a password. */
function PasskeyInstead({ accountType }: { accountType: AccountType }) {
  const change = useMutation({ mutationFn: signUpWithPasskey })
  const signUp = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form === null || !NAMES.every((name) => isValid(form, name))) return
    change.mutate({ ...readFields(form, ...NAMES), accountType })
  }
  return (
    <>
      <Divider label="or" />
      <FailureNote error={change.error} />
      <Button
        type="button"
        variant="default"
        leftSection={<Icon name="passkey" />}
        loading={change.isPending}
        onClick={signUp}
        fullWidth
      >
        Create account with a passkey
      </Button>
      <Text size="sm" c="dimmed">
        No password needed: your device confirms that it is you, with a fingerprint, your face or a PIN.
      </Text>
    </>
  )
}

/** The fields that an account needs whatever opens it. */
const NAMES = ['fullName', 'email'] as const

/** Whether a field of the form is valid; otherwise the browser says why. */
function isValid(form: HTMLFormElement, name: string): boolean {
  const field = form.elements.namedItem(name)
  return field instanceof HTMLInputElement && field.reportValidity()
}
