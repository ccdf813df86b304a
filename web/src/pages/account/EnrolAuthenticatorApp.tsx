import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { type FormEvent, useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { QrCode } from '../../parts/code/QrCode.tsx'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Props = {
  /** The secret and the codes are shown only once. */
  enrolled: AnswerOf<'POST /api/auth/mfa/totp'>
  onDone: () => void
  onCancel: () => void
}

/** The steps of an enrolment: scan the secret, save the recovery codes, enter a code. */
export function EnrolAuthenticatorApp({ enrolled, onDone, onCancel }: Props) {
  const { secret, otpauthUrl, recoveryCodes } = enrolled
  const [areSaved, setSaved] = useState(false)
  const change = useApiMutation('POST /api/auth/mfa/totp/confirm', {
    invalidates: ['GET /api/me'],
    onDone,
  })
  const faults = readFaults(change.error, { code: 'Code' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code')).replaceAll(' ', '')
    change.mutate({ body: { code } })
  }
  return (
    <Stack gap="md">
      <Text fw={600}>1. Scan this with your authenticator app</Text>
      <Group gap="lg" align="flex-start">
        <QrCode text={otpauthUrl} label="QR code with the secret for your authenticator app" />
        <Stack gap={4} style={{ flex: '1 1 220px', minWidth: 0 }}>
          <Text size="sm" c="dimmed">
            Or enter the secret manually:
          </Text>
          <CopyText
            text={secret.replace(/(.{4})(?=.)/g, '$1 ')}
            copies={secret}
            name="secret of the authenticator app"
          />
        </Stack>
      </Group>
      <Text fw={600}>2. Save the recovery codes</Text>
      <RecoveryCodes codes={recoveryCodes} />
      <Checkbox
        label="I have saved the recovery codes"
        checked={areSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            name="code"
            label="3. Enter the code shown in the app"
            description="From then on, signing in with your password requires a code."
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maw={320}
            error={faults.at.code}
          />
          <FormFailure faults={faults} />
          <Group>
            <Button type="submit" loading={change.isPending} disabled={!areSaved}>
              Turn on
            </Button>
            <Button variant="subtle" onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  )
}
