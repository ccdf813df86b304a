import {
  Anchor,
  Box,
  Button,
  Container,
  Group,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { session } from '../api/session.ts'
import type { Session } from '../api/types.ts'
import { useChange } from '../api/useChange.ts'
import { FailureNote } from '../parts/FailureNote.tsx'
import { TextLink } from '../parts/TextLink.tsx'
import { Brand } from '../shell/Brand.tsx'
import { ColorSchemeToggle } from '../shell/ColorSchemeToggle.tsx'

const PASSWORD_LENGTH_MIN = 10

/** Signs in, or creates an account; either way the page that was asked for follows. */
export function SignInPage() {
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · Agent registry'
  }, [])
  return (
    <Box mih="100vh" style={{ display: 'flex', flexDirection: 'column' }}>
      <Group justify="space-between" px="md" py="sm">
        <Brand />
        <ColorSchemeToggle />
      </Group>
      <Container component="main" size={440} w="100%" px="md" py="xl" my="auto">
        <Stack gap="lg">
          <Stack gap={4}>
            <Title order={1} fz={28}>
              {isNew ? 'Create an account' : 'Sign in'}
            </Title>
            <Text c="dimmed">
              May this agent do this, here, now? Every answer is recorded and can be proven.
            </Text>
          </Stack>
          <Paper withBorder p="lg">
            {/* Another key: what was typed or went wrong in one form is none of the other's business. */}
            <AccountForm key={String(isNew)} isNew={isNew} />
          </Paper>
          <Text size="sm" ta="center">
            {isNew ? 'You have an account? ' : 'New here? '}
            <Anchor component="button" type="button" inherit onClick={() => setNew(!isNew)}>
              {isNew ? 'Sign in' : 'Create an account'}
            </Anchor>
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            Agents need no account: <TextLink to="/agents/register">how to register one</TextLink>
          </Text>
        </Stack>
      </Container>
    </Box>
  )
}

function AccountForm({ isNew }: { isNew: boolean }) {
  const [accountType, setAccountType] = useState('individual')
  const change = useChange<{ data: Session }>({
    touches: [],
    onDone: (answer) => session.begin(answer.data),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email, password, fullName } = Object.fromEntries(new FormData(event.currentTarget))
    const body = isNew ? { email, password, fullName, accountType } : { email, password }
    change.mutate({ method: 'POST', path: `/api/auth/${isNew ? 'register' : 'login'}`, body })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {isNew && (
          <>
            <SegmentedControl
              aria-label="Kind of account"
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
        <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
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
      </Stack>
    </form>
  )
}
