import { Button, Stack } from '@mantine/core'
import type { Me } from '../../api/types.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Loaded } from '../../parts/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useSignOut } from '../../shell/useSignOut.ts'
import { AuthenticatorAppSection } from './AuthenticatorAppSection.tsx'
import { IdentitySection } from './IdentitySection.tsx'
import { LinkedIdentitiesSection } from './LinkedIdentitiesSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { WalletsSection } from './WalletsSection.tsx'

/** The account itself: who it is, and what it signs in and approves with. */
export function AccountPage() {
  const query = useApiQuery<Me>('/api/me')
  const me = query.data
  const signOut = useSignOut()
  return (
    <>
      <PageHeader title="Account" description="Who you are here, and what you sign in and approve with.">
        <Button variant="default" onClick={signOut}>
          Sign out
        </Button>
      </PageHeader>
      <Stack gap="lg">
        <Loaded query={query}>{(answer) => <IdentitySection me={answer} />}</Loaded>
        <PasskeysSection />
        {/* The first section says what is wrong with the answer, once for all that are made of it. */}
        {me && <PasswordSections me={me} />}
        <LinkedIdentitiesSection />
        {me && <WalletsSection wallets={me.wallets} />}
        <SessionsSection />
      </Stack>
    </>
  )
}

/** A password is of an account that has an e-mail address; others are opened by their wallet. */
function PasswordSections({ me }: { me: Me }) {
  const { email } = me.user
  if (email === null) return null
  return (
    <>
      <PasswordSection email={email} />
      <AuthenticatorAppSection me={me} />
    </>
  )
}
