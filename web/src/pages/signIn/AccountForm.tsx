import { Anchor, Button, Divider, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type MouseEvent, useState } from 'react'
import { session } from '../../api/session.ts'
import { signUpWithPasskey } from '../../api/signUpWithPasskey.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { PasswordField } from '../../parts/forms/PasswordField.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'
import { Icon } from '../../parts/Icon.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { PASSWORD_LENGTH_MIN } from './passwordLength.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'

type AccountType = 'individual' | 'business'

const LABELS = { fullName: 'Full name', email: 'E-mail', password: 'Password' }

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
  const passkey = useMutation({ mutationFn: signUpWithPasskey })
  const change = isNew ? registration : signIn
  const faults = readFaults(passkey.error ?? change.error, LABELS, { EMAIL_TAKEN: 'email' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    passkey.reset()
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
            <TextInput
              name="fullName"
              label={LABELS.fullName}
              autoComplete="name"
              required
              maxLength={200}
              error={faults.at.fullName}
            />
          </>
        )}
        <TextInput
          name="email"
          type="email"
          label={LABELS.email}
          defaultValue={initialEmail}
          autoComplete={isNew ? 'username' : 'username webauthn'}
          required
          error={faults.at.email}
        />
        <PasswordField
          name="password"
          label={LABELS.password}
          description={isNew ? `At least ${PASSWORD_LENGTH_MIN} characters` : undefined}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          minLength={isNew ? PASSWORD_LENGTH_MIN : undefined}
          required
          error={faults.at.password}
        />
        <FormFailure faults={faults} />
        <Button type="submit" loading={change.isPending} fullWidth>
          {isNew ? 'Create account' : 'Sign in'}
        </Button>
        {isNew && (
          <PasskeyInstead
            isPending={passkey.isPending}
            onChoose={(names) => {
              registration.reset()
              passkey.mutate({ ...names, accountType })
            }}
          />
        )}
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

type PasskeyProps = {
  isPending: boolean
  onChoose: (names: Record<(typeof NAMES)[number], string>) => void
}

/** Creates the account with name and address of the form, and with a passkey instead of a password. */
function PasskeyInstead({ isPending, onChoose }: PasskeyProps) {
  const signUp = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form === null || !NAMES.every((name) => isValid(form, name))) return
    onChoose(readFields(form, ...NAMES))
  }
  return (
    <>
      <Divider label="or" />
      <Button
        type="button"
        variant="default"
        leftSection={<Icon name="passkey" />}
        loading={isPending}
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
