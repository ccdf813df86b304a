import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { Me } from '@svc/core/contract/accounts.ts'
import { type FormEvent, useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { EnrolAuthenticatorApp } from './EnrolAuthenticatorApp.tsx'

/** Warn when this many recovery codes or fewer are left. */
const FEW_CODES = 3

/** Sets up and turns off the authenticator app, the second factor of a password sign-in. Source: RFC 6238. */
export function AuthenticatorAppSection({ me }: { me: Me }) {
  const { isOn, recoveryCodesLeft } = me.totp
  const [isRemoving, setRemoving] = useState(false)
  const enrolment = useApiMutation('POST /api/auth/mfa/totp')
  return (
    <Section
      title="Authenticator app"
      description="A second step after your password: a code from an app on your phone. Not needed with a passkey."
      right={<StatusBadge value={isOn ? 'active' : 'off'} />}
    >
      {isOn ? (
        <>
          <Text>
            Signing in with your password asks for a code. {describeCodesLeft(recoveryCodesLeft)}
            {recoveryCodesLeft <= FEW_CODES && ' Turn the app off and on again to get new ones.'}
          </Text>
          <Group>
            <Button variant="light" color="red" onClick={() => setRemoving(true)}>
              Turn off
            </Button>
          </Group>
        </>
      ) : enrolment.data ? (
        <EnrolAuthenticatorApp
          enrolled={enrolment.data}
          onDone={enrolment.reset}
          onCancel={enrolment.reset}
        />
      ) : (
        <>
          <FailureNote error={enrolment.error} />
          <Group>
            <Button variant="default" loading={enrolment.isPending} onClick={() => enrolment.mutate()}>
              Set up an authenticator app
            </Button>
          </Group>
        </>
      )}
      <Modal opened={isRemoving} onClose={() => setRemoving(false)} title="Turn off the authenticator app?">
        <Removal hasPasskey={me.passkeyCount > 0} onClose={() => setRemoving(false)} />
      </Modal>
    </Section>
  )
}

function Removal({ hasPasskey, onClose }: { hasPasskey: boolean; onClose: () => void }) {
  const change = useApiMutation('DELETE /api/auth/mfa/totp', {
    invalidates: ['GET /api/me'],
    says: 'Turned off',
    onDone: onClose,
  })
  const faults = readFaults(change.error, { code: 'Code' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    change.mutate({ body: { code } })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>You will then sign in with just your password, and your recovery codes will stop working.</Text>
        <TextInput
          name="code"
          label="Code from the app, or a recovery code"
          autoComplete="one-time-code"
          required
          data-autofocus
          error={faults.at.code}
        />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          {hasPasskey && (
            <Button variant="default" disabled={change.isPending} onClick={() => change.mutate()}>
              Use a passkey instead
            </Button>
          )}
          <Button type="submit" color="red.9" loading={change.isPending}>
            Turn off
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function describeCodesLeft(left: number): string {
  if (left === 0) return 'You have no recovery codes left.'
  return left === 1 ? 'You have one recovery code left.' : `You have ${left} recovery codes left.`
}
