import { Button, Stack } from '@mantine/core'
import type { Me } from '@svc/core/contract/accounts.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { ErasureNote } from '../../parts/ErasureNote.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useSignOut } from '../../shell/useSignOut.ts'
import { AuthenticatorAppSection } from './AuthenticatorAppSection.tsx'
import { IdentitySection } from './IdentitySection.tsx'
import { LinkedIdentitiesSection } from './LinkedIdentitiesSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { WalletsSection } from './WalletsSection.tsx'
import { YourDataSection } from './YourDataSection.tsx'

/** The account: its identity, and the ways to sign in and approve. */
export function AccountPage() {
  const query = useApiQuery('GET /api/me')
  const me = query.data
  const signOut = useSignOut()
  return (
    <>
      <PageHeader title="Account" description="Your identity, and how you sign in and approve requests.">
        <Button variant="default" onClick={signOut}>
          Sign out
        </Button>
      </PageHeader>
      <Stack gap="lg">
        <ErasureNote />
        <Loaded query={query}>{(answer) => <IdentitySection me={answer} />}</Loaded>
        <PasskeysSection />
        {/* The identity section reports a failed request, once for all sections that depend on it. */}
        {me && <PasswordSections me={me} />}
        <LinkedIdentitiesSection />
        {me && <WalletsSection wallets={me.wallets} />}
        <SessionsSection />
        {me && <YourDataSection me={me} />}
      </Stack>
    </>
  )
}

/** Only accounts with an e-mail address have a password; others sign in with a wallet. */
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
