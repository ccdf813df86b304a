import { Alert, Center, Loader, Stack } from '@mantine/core'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { session } from '../../api/session.ts'
import type { Session } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { navigate } from '../../router/navigate.ts'
import { pageAfterSignIn } from './pageAfterSignIn.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { signInFaultOf } from './signInFaults.ts'

/** Where the browser comes back to from an identity provider: with a code, linked, or with what went wrong. */
export function SignInCallbackPage() {
  const [told] = useState(() => new URLSearchParams(window.location.hash.slice(1)))
  // What stood in the address is good once, and nobody else's business.
  useEffect(() => window.history.replaceState(null, '', window.location.pathname), [])
  const code = told.get('code')
  return (
    <Stack maw={480}>
      <PageHeader title={told.has('linked') ? 'Your account' : 'Signing in'} />
      {code === null ? <End told={told} /> : <Exchange code={code} />}
    </Stack>
  )
}

function Exchange({ code }: { code: string }) {
  const begun = useRef(false)
  const done = () => navigate(pageAfterSignIn.take(), { replace: true })
  const { mutate, data, error } = useApiMutation<{ data: Session } | { interimToken: string }>({
    invalidates: [],
    onDone: (answer) => {
      if (!('data' in answer)) return
      session.begin(answer.data)
      done()
    },
  })
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    mutate({ method: 'POST', path: '/api/auth/oauth/exchange', body: { code } })
  }, [mutate, code])
  if (data && 'interimToken' in data) {
    const back = () => navigate('/', { replace: true })
    return <SecondFactorForm interimToken={data.interimToken} onBack={back} onSignedIn={done} />
  }
  if (error) {
    return (
      <>
        <FailureNote error={error} />
        <TextLink to="/">Back to the sign-in</TextLink>
      </>
    )
  }
  return (
    <Center>
      <Loader aria-label="Signing in" />
    </Center>
  )
}

function End({ told }: { told: URLSearchParams }) {
  const isSignedIn = useSyncExternalStore(session.subscribe, session.read).status === 'signedIn'
  const back = isSignedIn ? (
    <TextLink to="/account">Back to your account</TextLink>
  ) : (
    <TextLink to="/">Back to the sign-in</TextLink>
  )
  if (told.has('linked')) {
    return (
      <Alert color="teal" icon={<Icon name="check" />} title="The provider is linked" role="status">
        It signs in to this account from now on. {back}
      </Alert>
    )
  }
  const fault = signInFaultOf(told.get('error') ?? '')
  return (
    <Alert color="red" icon={<Icon name="warning" />} title={fault.title} role="alert">
      {fault.text} {back}
    </Alert>
  )
}
