import { Alert, Center, Loader, Stack } from '@mantine/core'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { session } from '../../api/session.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { navigate } from '../../router/navigate.ts'
import { describeSignInFault } from './describeSignInFault.ts'
import { pageAfterSignIn } from './pageAfterSignIn.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'

/** Target of the redirect from an identity provider: with a sign-in code, a linked identity or an error. */
export function SignInCallbackPage() {
  const [result] = useState(() => new URLSearchParams(window.location.hash.slice(1)))
  // The code is single-use and secret, so it must not stay in the address bar.
  useEffect(() => window.history.replaceState(null, '', window.location.pathname), [])
  const code = result.get('code')
  return (
    <Stack maw={480}>
      <PageHeader title={result.has('linked') ? 'Your account' : 'Signing in'} />
      {code === null ? <Result result={result} /> : <Exchange code={code} />}
    </Stack>
  )
}

function Exchange({ code }: { code: string }) {
  const isStarted = useRef(false)
  const done = () => navigate(pageAfterSignIn.take(), { replace: true })
  const { mutate, data, error } = useApiMutation('POST /api/auth/oauth/exchange', {
    onDone: (answer) => {
      if (!('data' in answer)) return
      session.begin(answer.data)
      done()
    },
  })
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    mutate({ body: { code } })
  }, [mutate, code])
  if (data && 'interimToken' in data) {
    const back = () => navigate('/', { replace: true })
    return <SecondFactorForm interimToken={data.interimToken} onBack={back} onSignedIn={done} />
  }
  if (error) {
    return (
      <>
        <FailureNote error={error} />
        <TextLink to="/">Back to sign-in</TextLink>
      </>
    )
  }
  return (
    <Center>
      <Loader aria-label="Signing in" />
    </Center>
  )
}

function Result({ result }: { result: URLSearchParams }) {
  const isSignedIn = useSyncExternalStore(session.subscribe, session.read).status === 'signedIn'
  const back = isSignedIn ? (
    <TextLink to="/account">Back to your account</TextLink>
  ) : (
    <TextLink to="/">Back to sign-in</TextLink>
  )
  if (result.has('linked')) {
    return (
      <Alert color="teal" icon={<Icon name="check" />} title="Provider linked" role="status">
        You can now sign in to this account with it. {back}
      </Alert>
    )
  }
  const fault = describeSignInFault(result.get('error') ?? '')
  return (
    <Alert color="red" icon={<Icon name="warning" />} title={fault.title} role="alert">
      {fault.text} {back}
    </Alert>
  )
}
