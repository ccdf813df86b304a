import { Button } from '@mantine/core'
import { pageAfterSignIn } from '../api/pageAfterSignIn.ts'
import type { SignInMethods } from '../api/types.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { Icon } from '../parts/Icon.tsx'

/** A button for each identity provider that is configured: the browser leaves for it and comes back. */
export function ProviderButtons() {
  const { data } = useAnswer<SignInMethods>('/api/auth/methods')
  return data?.methods.oauth.map(({ provider, name }) => (
    <Button
      key={provider}
      component="a"
      href={`/api/auth/oauth/${provider}`}
      variant="default"
      fullWidth
      leftSection={<Icon name="person" />}
      onClick={pageAfterSignIn.keep}
    >
      Sign in with {name}
    </Button>
  ))
}
