import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { pathOf } from '../../api/call.ts'
import { passkeySignIn } from '../../api/passkeySignIn.ts'
import { request } from '../../api/request.ts'
import { session } from '../../api/session.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import type { WalletProvider } from '../../wallet/askWallet.ts'
import { WalletButtons } from '../../wallet/WalletButtons.tsx'
import { pageAfterSignIn } from './pageAfterSignIn.ts'

/**
 * Sign-in without a password: with a passkey, an identity provider or a wallet.
 *
 * `isReturning`: the page below waits for its user, so an identity provider opens in a new tab.
 */
export function OtherSignIns({ isReturning = false }: { isReturning?: boolean }) {
  const passkey = useMutation({ mutationFn: passkeySignIn.start })
  const [offerError, setOfferError] = useState<unknown>(null)
  useEffect(() => {
    passkeySignIn.offer().catch(setOfferError)
    return passkeySignIn.withdraw
  }, [])
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        fullWidth
        leftSection={<Icon name="passkey" />}
        loading={passkey.isPending}
        onClick={() => passkey.mutate()}
      >
        Sign in with a passkey
      </Button>
      <FailureNote error={passkey.error ?? offerError} />
      {passkey.error && <FormerHosts />}
      <ProviderButtons isReturning={isReturning} />
      <WalletButtons label="Sign in with" onChoose={signInWithWallet} />
    </Stack>
  )
}

/** Why a browser may offer no passkey: those of a former host of the service work only there. */
function FormerHosts() {
  const hosts = useApiQuery('GET /api/auth/methods').data?.formerPasskeyHosts ?? []
  if (hosts.length === 0) return null
  return (
    <Text size="sm">
      The address of this service has changed. A passkey that you created at {hosts.join(' or ')} does not
      work here: sign in another way, and add a new one.
    </Text>
  )
}

/** Loads the code for the message only when a wallet is used. */
async function signInWithWallet(provider: WalletProvider): Promise<void> {
  const { signSiweMessage } = await import('../../wallet/signSiweMessage.ts')
  const body = await signSiweMessage(provider, 'Sign in to the agent registry.')
  const answer = await request('POST /api/auth/siwe', { body }, null)
  if ('data' in answer) session.begin(answer.data)
}

/** A link to each configured identity provider, which redirects back after the sign-in. */
function ProviderButtons({ isReturning }: { isReturning: boolean }) {
  const { data } = useApiQuery('GET /api/auth/methods')
  return data?.methods.oauth.map(({ provider, name }) => (
    <Button
      key={provider}
      component="a"
      href={pathOf('GET /api/auth/oauth/:provider', { params: { provider } })}
      variant="default"
      fullWidth
      leftSection={<Icon name="person" />}
      {...(isReturning ? { target: '_blank' } : { onClick: pageAfterSignIn.remember })}
    >
      Sign in with {name}
    </Button>
  ))
}
